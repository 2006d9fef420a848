import { readFileSync } from 'node:fs';
import type { Express, Request, Response } from 'express';
import { contractFile } from '../../common/contract-file.ts';
import { createReply } from '../api/reply.ts';
import type { WriteReply } from './create-writers.ts';
import { methodNotAllowed } from './mount-routes.ts';

/**
 * Mounts openapi.yaml, as YAML at `/openapi.yaml` and as JSON at `/openapi.json`; its server is the address that the client
 * asked. Source: RFC 9512
 */
export function mountContract(app: Express, writeReply: WriteReply): void {
  app
    .route('/openapi.yaml')
    .get((request, response) => {
      const headers = { 'Content-Type': 'application/yaml' };
      writeReply(response, createReply(200, printContract(request, response), headers));
    })
    .all(methodNotAllowed('GET', 'HEAD'));
  app
    .route('/openapi.json')
    .get(async (request, response) => {
      // Only who asks for it waits until it is loaded.
      const { parse } = await import('yaml');
      writeReply(response, createReply(200, JSON.stringify(parse(printContract(request, response)))));
    })
    .all(methodNotAllowed('GET', 'HEAD'));
}

function printContract({ headers: { host } }: Request, { locals }: Response): string {
  const { origin } = URL.parse(`http://${host}`) ?? {};
  // Without a Host the server stays as it is written, relative to this very document.
  if (!host || origin === undefined) return readFileSync(contractFile, 'utf8');
  const servers = `servers:\n  - url: ${JSON.stringify(origin + locals.service.operations.basePath)}\n    description: This mock.\n`;
  return readFileSync(contractFile, 'utf8').replace(/^servers:\n(?: .*\n)+/m, () => servers);
}
