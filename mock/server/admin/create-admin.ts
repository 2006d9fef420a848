import { ApiError, methodNotAllowed } from '../../../common/http/api-error.ts';
import type { HostCheck } from '../../../common/http/host-check.ts';
import { refuseForeign, refuseForm } from '../../../common/http/refuse-foreign.ts';
import { createRefuseKey } from '../../../common/http/refuse-key.ts';
import { createReply, type Reply } from '../../../common/http/reply.ts';
import { type ExactJson, printExactJson } from '../../../common/json/exact-json.ts';
import { printSuggestion } from '../../../common/text/suggest.ts';
import { parseBody } from '../../api/parse-json-object.ts';
import { decodePart, nothingAt } from '../../pipeline/pipeline.ts';
import { createControl } from '../../session/control.ts';
import type { Sessions } from '../../session/sessions.ts';
import type { HttpContext } from '../http-context.ts';
import { createReadBody } from '../read-body.ts';
import { routes } from './routes.ts';

/** Maximum size of a body that the control API reads, in bytes. It may contain all animals. */
export const LARGEST_ADMIN_BODY = 64 * 1024 * 1024;

const ALL_OPERATIONS = 'The operations are in /__admin/openapi.yaml.';
const readBody = createReadBody(LARGEST_ADMIN_BODY);

export interface AdminDependencies {
  readonly sessions: Sessions;
  readonly admin: boolean;
  readonly adminToken?: string | undefined;
  /** True if only this machine reaches the mock. */
  readonly isLoopback: boolean;
  readonly isHostAllowed: HostCheck;
}

/** Creates the handler of `/__admin` and `/health`, which returns undefined for other requests. */
export function createAdmin(dependencies: AdminDependencies) {
  const { sessions, admin } = dependencies;
  const refuse = createRefuse(dependencies);
  const answer = async (context: HttpContext): Promise<Reply | undefined> => {
    const { method, path } = context;
    if (/^\/(?:__admin\/)?health$/.test(path)) {
      if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed(method, 'GET, HEAD');
      return createReply(200, '{"status":"ok"}');
    }
    if (!admin) throw nothingAt(path);
    const refusal = refuse(context);
    if (refusal !== undefined) throw refusal;
    return call(context, sessions);
  };
  return (context: HttpContext) =>
    /^\/(?:__admin(?:\/|$)|health$)/.test(context.path) ? answer(context) : undefined;
}

/** Calls the operation that a request names. @returns its reply, unless the operation has sent the response */
async function call(context: HttpContext, sessions: Sessions) {
  const { path, method, request, response } = context;
  const [handle, param] = findRoute(path, method);
  const bytes = await readBody(request, response);
  const body = bytes.length === 0 ? undefined : parseBody(bytes);
  const session = sessions.find(context.sessionName, method !== 'GET');
  const query = Object.fromEntries(context.query);
  const control = createControl(() => session);
  const result = await handle({ session, control, sessions, query, param, body: body as never, context });
  if (response.headersSent) return undefined;
  if (result === undefined) return { status: 204, headers: {}, body: '' };
  return createReply(method === 'POST' ? 201 : 200, printExactJson(result as ExactJson));
}

const patterns = routes.map(([allowed, path, handle]) => {
  const pattern = path.replace('.', '\\.').replace(/\{\w+\}/, '([^/]+)');
  return { allowed, handle, pattern: new RegExp(`^/__admin${pattern}$`) };
});

function findRoute(path: string, method: string) {
  const atPath = patterns.filter(({ pattern }) => pattern.test(path));
  if (atPath.length === 0) {
    const known = routes.map(([, one]) => `/__admin${one}`);
    const hint = printSuggestion(path, known) || '.';
    throw new ApiError('not_found', `There is nothing at ${path}${hint} ${ALL_OPERATIONS}`);
  }
  const route = atPath.find(({ allowed }) => allowed === (method === 'HEAD' ? 'GET' : method));
  if (route === undefined) throw methodNotAllowed(method, atPath.map(({ allowed }) => allowed).join(', '));
  const [, param = ''] = route.pattern.exec(path) ?? [];
  return [route.handle, decodePart(param, path)] as const;
}

/** Creates the check for requests from pages of other origins, from other machines, and without the token. */
function createRefuse({ adminToken, isLoopback, isHostAllowed }: AdminDependencies) {
  const refuseToken = adminToken && createRefuseKey([adminToken], 'admin token', '<ADMIN_TOKEN>');
  return ({ request }: HttpContext): ApiError | undefined => {
    const refusal = refuseForeign(request.headers, isHostAllowed);
    if (refusal !== undefined) return refusal;
    if (refuseToken) return refuseToken(request.headers.authorization);
    if (isLoopback) return refuseForm(request);
    const why = 'The control API is disabled, because other machines can reach this mock';
    return new ApiError('forbidden', `${why}. Enable it with --admin-token <token>, or adminToken in code.`);
  };
}
