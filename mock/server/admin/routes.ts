import { hash } from 'node:crypto';
import { streamState } from '../../../common/http/stream-state.ts';
import { readUntil } from '../../../common/journal/filter.ts';
import { type ExactJson, printExactJson } from '../../../common/json/exact-json.ts';
import { parseInt64 } from '../../../common/json/int64.ts';
import { controlApiFile, createDocumentReply } from '../../docs/create-docs.ts';
import type { Int64 } from '../../session/animals.ts';
import type { Control } from '../../session/control.ts';
import type { Session } from '../../session/session.ts';
import type { Sessions } from '../../session/sessions.ts';
import { redactSettings } from '../../session/settings.ts';
import type { HttpContext } from '../http-context.ts';

interface AdminCall {
  readonly session: Session;
  readonly control: Control;
  readonly sessions: Sessions;
  readonly param: string;
  readonly query: Readonly<Record<string, string>>;
  /** The body as JSON. The control checks it. */
  readonly body: never;
  readonly context: HttpContext;
}

/** Returns the value for the response, nothing for a 204, or sends the response. */
type Handler = (call: AdminCall) => unknown;

/** Operations of the control API by method and path under `/__admin`. */
export const routes: readonly (readonly [method: string, path: string, handler: Handler])[] = [
  ['POST', '/reset', ({ control }) => control.reset()],
  ['GET', '/snapshots', ({ control }) => control.snapshots()],
  ['PUT', '/snapshots/{name}', ({ control, param }) => control.snapshot(param)],
  ['DELETE', '/snapshots/{name}', ({ control, param }) => control.removeSnapshot(param)],
  ['POST', '/snapshots/{name}/restore', ({ control, param, query }) => control.restore(param, query)],
  ['GET', '/profiles', ({ control }) => control.profiles()],
  ['POST', '/profiles/{name}/fill', ({ control, param }) => control.fill(param)],
  ['GET', '/animals', ({ control }) => control.animals.all()],
  ['PUT', '/animals', ({ control, body }) => control.animals.replace(body)],
  ['POST', '/animals', ({ control, body }) => control.animals.add(body)],
  ['GET', '/animals/{id}', ({ control, param }) => control.animals.get(toInt64(param))],
  ['PUT', '/animals/{id}', ({ control, param, body }) => control.animals.set(toInt64(param), body)],
  ['DELETE', '/animals/{id}', ({ control, param }) => control.animals.remove(toInt64(param))],
  ['GET', '/settings', ({ control }) => control.settings()],
  ['PATCH', '/settings', ({ control, body }) => control.configure(body)],
  ['GET', '/faults', ({ control }) => control.faults.list()],
  ['POST', '/faults', ({ control, body }) => control.faults.add(body)],
  ['DELETE', '/faults', ({ control }) => control.faults.clear()],
  ['DELETE', '/faults/{id}', ({ control, param }) => control.faults.remove(Number(param))],
  ['GET', '/requests', ({ control, query }) => control.requests(query)],
  ['DELETE', '/requests', ({ control, query }) => control.clearRequests({ until: readUntil(query) })],
  ['GET', '/requests/count', ({ control, query }) => ({ count: control.countRequests(query) })],
  ['GET', '/violations', ({ control, query }) => control.violations(query)],
  ['DELETE', '/violations', ({ control, query }) => control.clearViolations({ until: readUntil(query) })],
  ['GET', '/state', ({ session }) => describeState(session)],
  ['GET', '/events', streamEvents],
  ['GET', '/sessions', ({ sessions }) => sessions.names()],
  ['DELETE', '/sessions/{name}', ({ sessions, param }) => sessions.end(param)],
  ['GET', '/openapi.yaml', (call) => sendDocument(call, 'yaml')],
  ['GET', '/openapi.json', (call) => sendDocument(call, 'json')],
];

function streamEvents({ session, context }: AdminCall): void {
  const readState = () => (session.journal.isClosed ? undefined : describeState(session));
  streamState(context.request, context.response, readState);
}

async function sendDocument({ session, context }: AdminCall, format: 'yaml' | 'json') {
  const path = session.basePath.replace(/\/v1$/, '');
  const reply = await createDocumentReply(controlApiFile, format, context.headers.host, path);
  context.send(reply, { 'Cache-Control': 'no-store' });
}

function describeState(session: Session) {
  const { startedAt, store, journal, violations, checkedUrl } = session;
  const takesTestKey = session.settings.apiKeys.includes('test-key');
  const state = {
    startedAt,
    ...(checkedUrl !== undefined && { checkedUrl }),
    animals: store.size,
    storeVersion: store.version,
    faults: session.faults.list(),
    takesTestKey,
    settings: redactSettings(session.settings),
  };
  const compared = [state, session.snapshots(), journal.oldestId, violations.oldestId];
  return {
    ...state,
    lastRequest: journal.lastId,
    oldestRequest: journal.oldestId,
    lastViolation: violations.lastId,
    oldestViolation: violations.oldestId,
    version: hash('sha1', printExactJson(compared as unknown as ExactJson), 'base64url'),
  };
}

/** A string that is no int64 stays a string, which the control refuses. */
const toInt64 = (param: string): Int64 => parseInt64(param) ?? (param as never);
