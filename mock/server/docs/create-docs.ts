import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { IRouter } from 'express';
import { contractFile } from '../../../common/contract-file.ts';
import { createRouter } from '../../../common/http/create-router.ts';
import { pageHeaders } from '../../../common/http/page-headers.ts';
import { createReply } from '../../../common/http/reply.ts';
import { parseSessionPath } from '../../../common/http/session-names.ts';
import type { HttpCall } from '../http-call.ts';
import type { Middleware } from '../middleware.ts';
import { refuseMethod } from '../refusals.ts';
import { sendReply, toCheck } from '../send-outcome.ts';
import { docsFiles, readDocsFile } from './docs-files.ts';

const PAGE = 'index.html';

/**
 * Creates the routes of the API reference: the page at `/docs`, and its files under this path. Faults do not apply to them, and
 * they are not in the journal.
 */
export function createDocs(): IRouter {
  const docs = createRouter();
  const files = docsFiles.filter((name) => name !== PAGE).map((name) => `/docs/${name}`);
  const paths = ['/docs', '/docs/', '/docs/openapi.json', ...files];
  docs.all(paths, asPage);
  docs.get('/docs', (_request, response) => response.send(readDocsFile(PAGE)));
  // The links of the page are relative to `/docs`.
  docs.get('/docs/', (_request, response) => response.set('Location', '../docs').status(308).end());
  docs.get('/docs/openapi.json', sendContract('json'));
  // Without sendFile, since the package has the files compressed.
  docs.get(files, ({ path }, response) => response.send(readDocsFile(basename(path))));
  docs.all(paths, refuseOthers);
  return docs;
}

/** Creates the routes of the contract, at `/openapi.yaml` and `/openapi.json`. */
export function createContractRouter(): IRouter {
  const router = createRouter();
  router.get('/openapi.yaml', sendContract('yaml'));
  router.get('/openapi.json', sendContract('json'));
  router.all(['/openapi.yaml', '/openapi.json'], refuseOthers);
  return router;
}

const refuseOthers = toCheck(refuseMethod('GET, HEAD'));

/** Keeps a request for the page out of the journal and the log, and sets the headers of the page. */
const asPage: Middleware = ({ path }, response, next) => {
  response.locals.call.isRecorded = false;
  response.locals.isUnlogged = true;
  response.set(pageHeaders(/\.(?:css|js)$/.test(path) ? path : PAGE));
  next();
};

function sendContract(format: DocumentFormat): Middleware {
  return async (_request, { locals: { call } }) => {
    const text = readFileSync(contractFile, 'utf8');
    const server = readServer(call, '/v1');
    const servers = `servers:\n  - url: ${JSON.stringify(server?.url)}\n    description: ${server?.description}\n`;
    // Without a Host the server of the file stays, which is relative to the document.
    const yaml = server ? text.replace(/^servers:\n(?: .*\n)+/m, () => servers) : text;
    // Loading the parser would delay the start.
    const print = async () => JSON.stringify((await import('yaml')).parse(yaml));
    sendDocument(call, format, format === 'yaml' ? yaml : await print());
  };
}

export type DocumentFormat = 'yaml' | 'json';

/** Sends a document. Source: RFC 9512 */
export function sendDocument(call: HttpCall, format: DocumentFormat, text: string): void {
  sendReply(call, createReply(200, text, { 'Content-Type': `application/${format}` }));
}

/** Returns the address of a request as the server of a document; undefined without a usable Host. */
export function readServer({ headers: { host }, originalUrl }: HttpCall, path = '') {
  const { origin } = URL.parse(`http://${host}`) ?? {};
  if (!host || !origin) return undefined;
  return { url: origin + parseSessionPath(originalUrl).prefix + path, description: 'This mock.' };
}
