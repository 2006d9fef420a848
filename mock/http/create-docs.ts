import { extname } from 'node:path';
import type { Request, Response } from 'express';
import { contractFile } from '../../common/contract-file.ts';
import { notAllowed } from '../../common/control/find-answer.ts';
import { createReply, type Reply } from '../../common/reply.ts';
import type { AdminDependencies } from './create-admin.ts';
import { createDocumentReply, documentFormats } from './create-document-reply.ts';
import { createWriters } from './create-writers.ts';
import { docsFiles, readDocsFile } from './docs-files.ts';

/** Answers a request for the API reference. @returns whether it was one. */
export type AnswerDocs = (request: Request, response: Response) => boolean;

/** The page takes scripts, styles and answers from its own origin alone, and its pictures are in the styles. */
const headers = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; " +
    "frame-ancestors 'none'; form-action 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

/**
 * Creates what serves the API reference: the page at `/docs` and `/sessions/{name}/docs`, its files beneath it. They meet no
 * fault and are not in the journal; the requests that are sent from the page are like all others.
 * @param hasConsole whether it is beside a console, to which the page then leads.
 */
export function createDocs(
  { isHostAllowed, reportFault }: AdminDependencies,
  hasConsole: boolean,
): AnswerDocs {
  const { writeReply, writeError } = createWriters(headers, reportFault);
  return (request, response) => {
    const { method, url } = request;
    // Most requests are seen sooner.
    if (url.startsWith('/v1/')) return false;
    const target = /^(\/sessions\/[\w.-]{1,64})?\/docs(\/[\w.-]*)?(?:\?.*)?$/.exec(url);
    const { host } = request.headers;
    if (target === null || !isHostAllowed(host)) return false;
    const [, session = '', path = ''] = target;
    const reply = createAnswer(path, `${session}/v1`, host, hasConsole);
    if (reply !== undefined && method !== 'GET' && method !== 'HEAD') {
      writeError(notAllowed(method, 'GET, HEAD'), request, response);
      return true;
    }
    reply?.then(
      (made) => writeReply(response, made),
      (error) => writeError(error, request, response),
    );
    return reply !== undefined;
  };
}

/** @param path beneath `/docs`. @param basePath where the contract's own paths begin. */
function createAnswer(
  path: string,
  basePath: string,
  host: string | undefined,
  hasConsole: boolean,
): Promise<Reply> | undefined {
  const format = documentFormats.find((one) => path === `/openapi.${one}`);
  if (format !== undefined) return createDocumentReply(contractFile, format, host, basePath);
  // What the page refers to is found from `/docs` alone.
  if (path === '/') return Promise.resolve({ status: 308, headers: { Location: '../docs' }, body: '' });
  const file =
    path === '' ? 'index.html' : docsFiles.find((one) => one !== 'index.html' && path === `/${one}`);
  if (file === undefined) return undefined;
  const text = readDocsFile(file);
  const shown = hasConsole ? text : text.replace('<a href="./">Console</a>\n', '');
  return Promise.resolve(createReply(200, shown, { 'Content-Type': types[extname(file)] ?? '' }));
}
