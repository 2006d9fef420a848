import { hash } from 'node:crypto';
import { describeValue, invalidRequest } from '../../../common/http/api-error.ts';
import {
  type NewRequest,
  readNewRequest,
  readOwnOrigin,
  sendRequest,
} from '../../../common/http/send-request.ts';
import { readSessionHeader } from '../../../common/http/session-names.ts';
import { parseSessionPath } from '../../../common/http/session-path.ts';
import { streamState } from '../../../common/http/stream-state.ts';
import { type ExactJson, printExactJson } from '../../../common/json/exact-json.ts';
import {
  type AnyCall,
  type ControlMethod,
  listCalls,
  mockCalls,
  sessionCalls,
  stateCall,
} from '../../session/control-calls.ts';
import type { Session } from '../../session/session.ts';
import type { Sessions } from '../../session/sessions.ts';
import { controlApiFile } from '../control-api-file.ts';
import { createDocumentReply } from '../docs/create-docs.ts';
import type { HttpContext } from '../http-context.ts';
import { sendReply } from '../send-outcome.ts';

interface AdminCall {
  readonly session: Session;
  readonly sessions: Sessions;
  readonly param: string;
  readonly query: Readonly<Record<string, string>>;
  /** The body as JSON. The control checks it. */
  readonly body: never;
  readonly context: HttpContext;
}

/** Returns the value for the response, nothing for a 204, or sends the response. */
type Handler = (call: AdminCall) => unknown;

export interface ControlRoute {
  readonly method: ControlMethod;
  /** Path under `/__admin`, as in the document of the control API. */
  readonly path: string;
  /** True if the request never starts a session. */
  readonly isForExisting?: true | undefined;
  readonly handle: Handler;
}

/** The routes of the control API. */
export const controlRoutes: readonly ControlRoute[] = [
  ...listCalls(sessionCalls).map(([, call]) => createRoute(call, ({ session }) => session)),
  ...listCalls(mockCalls).map(([, call]) => createRoute(call, ({ sessions }) => sessions)),
  { ...stateCall, handle: ({ session, sessions }) => describeState(session, sessions) },
  { method: 'GET', path: '/all-requests', handle: ({ sessions }) => listAllRequests(sessions) },
  { method: 'POST', path: '/send', isForExisting: true, handle: send },
  { method: 'GET', path: '/events', handle: streamEvents },
  { method: 'GET', path: '/openapi.yaml', handle: (call) => sendDocument(call, 'yaml') },
  { method: 'GET', path: '/openapi.json', handle: (call) => sendDocument(call, 'json') },
];

/** Creates the route of a call. @param find returns what the call is for. */
function createRoute<Target>(call: AnyCall<Target>, find: (request: AdminCall) => Target): ControlRoute {
  const { method, path, isForExisting, takes, gives, run } = call;
  const handle = async (request: AdminCall) => {
    const result = await run(find(request), ...takes.fromRequest(request));
    return gives.toJson(result as never);
  };
  return { method, path, isForExisting, handle };
}

/** Sends a request to this mock or session, or to its checked proxy. */
async function send({ session, body, context }: AdminCall): Promise<void> {
  const { isChecked = false, ...request } = readNewRequest(body);
  const { checkedUrl, basePath } = session;
  if (isChecked && checkedUrl === undefined) throw invalidRequest('The mock has no checked proxy.');
  const { prefix } = parseSessionPath(basePath);
  const url = prefix + request.url;
  expectOwnSession(request, session);
  const own = new URL(readOwnOrigin(context.request));
  // The proxy listens at the same address. Its URL may have 0.0.0.0, which not every system connects to.
  if (isChecked && checkedUrl !== undefined) own.port = new URL(checkedUrl).port;
  await sendRequest(own.origin, { ...request, url });
}

/** Refuses a request that would be in the journal of another session. @throws ApiError `invalid_request` */
function expectOwnSession({ headers = {} }: NewRequest, session: Session): void {
  const lowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  const named = readSessionHeader(Object.fromEntries(lowerCase));
  if (named === undefined || named === session.name) return;
  const advice = 'Remove the header, or send the request in the console of that session';
  throw invalidRequest(`A header of the request names the session ${describeValue(named)}. ${advice}.`);
}

function streamEvents({ session, sessions, context }: AdminCall): void {
  const readState = () => (session.journal.isClosed ? undefined : describeState(session, sessions));
  streamState(context.response, readState);
}

async function sendDocument({ context }: AdminCall, format: 'yaml' | 'json') {
  const reply = await createDocumentReply(controlApiFile, format, context);
  sendReply(context, reply);
}

function describeState(session: Session, all: Sessions) {
  const { startedAt, store, journal, violations, checkedUrl } = session;
  const takesTestKey = session.settings.apiKeys.includes('test-key');
  const state = {
    startedAt,
    ...(checkedUrl !== undefined && { checkedUrl }),
    animals: store.size,
    storeVersion: store.version,
    faults: session.faults.list(),
    takesTestKey,
    settings: session.showSettings(),
  };
  const oldest = { oldestRequest: journal.oldestId, oldestViolation: violations.oldestId };
  const sessions = all.list().map(({ name, journal }) => {
    return { ...(name !== undefined && { name }), requests: journal.lastId - journal.oldestId + 1 };
  });
  const others = sessions.filter(({ name }) => name !== session.name);
  const compared = [state, session.snapshots(), oldest, others];
  const version = hash('sha1', printExactJson(compared as unknown as ExactJson), 'base64url');
  const latest = { lastRequest: journal.lastId, lastViolation: violations.lastId };
  return { ...state, sessions, ...oldest, ...latest, waitingRequests: journal.waitingRequests, version };
}

/** Number of requests that the list of all sessions has. */
const MOST_OF_ALL = 200;

/** Lists the latest requests of the mock and its sessions, each with its session and its violations. */
function listAllRequests(sessions: Sessions) {
  const lists = sessions.list().map(({ name, journal, violations, checkedUrl }) => {
    const found = checkedUrl === undefined ? [] : violations.violations();
    const session = name !== undefined && { session: name };
    const byRequest = Map.groupBy(found, ({ request }) => request);
    return journal.requests({ limit: MOST_OF_ALL }).map((request) => {
      return { ...session, request, violations: byRequest.get(request.id) ?? [] };
    });
  });
  const all = lists.flat().sort((one, other) => one.request.time.getTime() - other.request.time.getTime());
  return all.slice(-MOST_OF_ALL);
}
