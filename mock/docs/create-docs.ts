import { contractFile } from '../../common/contract-file.ts';
import { methodNotAllowed } from '../../common/http/api-error.ts';
import { pageHeaders } from '../../common/http/create-console.ts';
import { createReply } from '../../common/http/reply.ts';
import { isSessionName } from '../../common/http/session-path.ts';
import { toErrorReply } from '../pipeline/pipeline.ts';
import type { AdminDependencies } from '../server/admin/create-admin.ts';
import type { HttpContext } from '../server/http-context.ts';
import { createDocumentReply } from './create-document-reply.ts';
import { docsFiles, readDocsFile } from './docs-files.ts';

/**
 * Creates the handler of the API reference: the page at `/docs` and `/sessions/{name}/docs`, and its files under these
 * paths. Faults do not apply to them, and they are not in the journal.
 * @param hasConsole Links the page to the console.
 * @returns a function that returns whether a request was for the API reference.
 */
export function createDocs(
  { sessions, isHostAllowed, reportFault }: AdminDependencies,
  hasConsole: boolean,
): (context: HttpContext) => boolean {
  return ({ sessionName, url, method, headers: { host }, response }) => {
    const [target, file = 'index.html'] = /^\/docs(?:\/((?!index\.html)[\w.-]*))?(?:\?.*)?$/.exec(url) ?? [];
    if (target === undefined || !isHostAllowed(host) || !isSessionName(sessionName ?? 'mock')) return false;
    if (!['', 'openapi.json', ...docsFiles].includes(file)) return false;
    const answer = async () => {
      if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed(method, 'GET, HEAD');
      // The links of the page are relative to `/docs`.
      if (file === '') return { status: 308, headers: { Location: '../docs' }, body: '' };
      if (file === 'openapi.json')
        return createDocumentReply(contractFile, 'json', host, sessions.find(sessionName).basePath);
      const text = readDocsFile(file);
      const shown = hasConsole ? text : text.replace('<a href="./">Console</a>\n', '');
      return createReply(200, shown, pageHeaders(file));
    };
    answer()
      .catch((error) => toErrorReply(error, reportFault))
      .then((reply) => response.sendReply(reply, pageHeaders('index.html')));
    return true;
  };
}
