import { readFileSync } from 'node:fs';
import type { IRouter } from 'express';
import { contractFile } from '../../common/contract-file.ts';
import { createRouter } from '../../common/http/create-router.ts';
import { createReply } from '../../common/http/reply.ts';
import { parseSessionPath } from '../../common/http/session-names.ts';
import type { HttpCall } from './http-call.ts';
import type { Middleware } from './middleware.ts';
import { refuseMethod } from './refusals.ts';
import { sendReply, toCheck } from './send-outcome.ts';

/** Creates the route of the contract, at `/openapi.yaml`. */
export function createContractRouter(): IRouter {
  const router = createRouter();
  router.get('/openapi.yaml', sendContract);
  router.all('/openapi.yaml', toCheck(refuseMethod('GET, HEAD')));
  return router;
}

const sendContract: Middleware = (_request, { locals: { call } }) => {
  const text = readFileSync(contractFile, 'utf8');
  const server = readServer(call, '/v1');
  const servers = `servers:\n  - url: ${JSON.stringify(server?.url)}\n    description: ${server?.description}\n`;
  // Without a Host the server of the file stays, which is relative to the document.
  sendYaml(call, server ? text.replace(/^servers:\n(?: .*\n)+/m, () => servers) : text);
};

/** Sends a document. Source: RFC 9512 */
export function sendYaml(call: HttpCall, text: string): void {
  sendReply(call, createReply(200, text, { 'Content-Type': 'application/yaml' }));
}

/** Returns the address of a request as the server of a document; undefined without a usable Host. */
export function readServer({ headers: { host }, originalUrl }: HttpCall, path = '') {
  const { origin } = URL.parse(`http://${host}`) ?? {};
  if (!host || !origin) return undefined;
  return { url: origin + parseSessionPath(originalUrl).prefix + path, description: 'This mock.' };
}
