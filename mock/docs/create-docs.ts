import { readFileSync } from 'node:fs';
import { contractFile } from '../../common/contract-file.ts';
import { methodNotAllowed } from '../../common/http/api-error.ts';
import { pageHeaders } from '../../common/http/create-console.ts';
import type { HostCheck } from '../../common/http/host-check.ts';
import { createReply, type Reply } from '../../common/http/reply.ts';
import { isSessionName, parseSessionPath } from '../../common/http/session-path.ts';
import type { Context, Step } from '../pipeline/context.ts';
import { docsFiles, readDocsFile } from './docs-files.ts';

export const controlApiFile = new URL('../control-api.yaml', import.meta.url);

/**
 * Creates the handler of the API reference: the page at `/docs` and `/sessions/{name}/docs`, and its files under these
 * paths. Faults do not apply to them, and they are not in the journal.
 * @param hasConsole Links the page to the console.
 * @returns a function that returns undefined for other requests.
 */
export function createDocs(isHostAllowed: HostCheck, hasConsole: boolean) {
  return (context: Context) => {
    const { sessionName, url, method, headers } = context;
    const [target, file = 'index.html'] = /^\/docs(?:\/((?!index\.html)[\w.-]*))?(?:\?.*)?$/.exec(url) ?? [];
    if (target === undefined || !isHostAllowed(headers.host) || !isSessionName(sessionName ?? 'mock'))
      return undefined;
    if (!['', 'openapi.json', ...docsFiles].includes(file)) return undefined;
    const answer = async (): Promise<Reply> => {
      expectGet(method);
      // The links of the page are relative to `/docs`.
      if (file === '') return { status: 308, headers: { Location: '../docs' }, body: '' };
      if (file === 'openapi.json') return createDocumentReply(contractFile, 'json', context, '/v1');
      const text = readDocsFile(file);
      const shown = hasConsole ? text : text.replace('<a href="./">Console</a>\n', '');
      return createReply(200, shown, pageHeaders(file));
    };
    return answer();
  };
}

export const serveContract: Step = (context) => {
  const format = (['yaml', 'json'] as const).find((format) => context.path === `/openapi.${format}`);
  if (format === undefined) return undefined;
  expectGet(context.method);
  return createDocumentReply(contractFile, format, context, '/v1');
};

function expectGet(method: string): void {
  if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed(method, 'GET, HEAD');
}

type Format = 'yaml' | 'json';

/** Creates the reply for an OpenAPI document in YAML. Its server is the address of the request. Source: RFC 9512 */
export async function createDocumentReply(file: string | URL, format: Format, context: Context, path = '') {
  const { host } = context.headers;
  const { prefix } = parseSessionPath(context.originalUrl);
  const text = readFileSync(file, 'utf8');
  const { origin } = URL.parse(`http://${host}`) ?? {};
  const servers = `servers:\n  - url: ${JSON.stringify(origin + prefix + path)}\n    description: This mock.\n`;
  // Without a Host the server of the file stays, which is relative to the document.
  const yaml = host && origin ? text.replace(/^servers:\n(?: .*\n)+/m, () => servers) : text;
  if (format === 'yaml') return createReply(200, yaml, { 'Content-Type': 'application/yaml' });
  // Loading the parser would delay the start.
  const { parse } = await import('yaml');
  return createReply(200, JSON.stringify(parse(yaml)));
}
