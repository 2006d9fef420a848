import { hash } from 'node:crypto';
import { streamState } from '../../../common/http/stream-state.ts';
import { readUntil } from '../../../common/journal/filter.ts';
import { type ExactJson, printExactJson } from '../../../common/json/exact-json.ts';
import { parseInt64 } from '../../../common/json/int64.ts';
import type { Control } from '../../session/control.ts';
import { type ControlCall, type ControlMethod, controlCalls } from '../../session/control-calls.ts';
import type { Session } from '../../session/session.ts';
import type { Sessions } from '../../session/sessions.ts';
import { redactSettings } from '../../session/settings.ts';
import { controlApiFile } from '../control-api-file.ts';
import { createDocumentReply } from '../docs/create-docs.ts';
import type { HttpContext } from '../http-context.ts';
import { sendReply } from '../send-outcome.ts';

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

export interface ControlRoute {
  readonly method: ControlMethod;
  /** Path under `/__admin`, as in the document of the control API. */
  readonly path: string;
  readonly handle: Handler;
}

/** The routes of the control API. */
export const controlRoutes: readonly ControlRoute[] = [
  ...controlCalls.map((call) => ({ method: call[1], path: call[2], handle: createHandler(call) })),
  { method: 'GET', path: '/state', handle: ({ session }) => describeState(session) },
  { method: 'GET', path: '/events', handle: streamEvents },
  { method: 'GET', path: '/openapi.yaml', handle: (call) => sendDocument(call, 'yaml') },
  { method: 'GET', path: '/openapi.json', handle: (call) => sendDocument(call, 'json') },
];

function createHandler([name, , path, takes]: ControlCall): Handler {
  const [member = '', group = ''] = name.split('.').reverse();
  return async ({ control, sessions, param, query, body }) => {
    const others = { sessions: () => sessions.names(), endSession: (one: string) => sessions.end(one) };
    const mock = Object({ ...control, ...others });
    const given = takes === 'until' ? { until: readUntil(query) } : takes === 'query' ? query : body;
    const args = path.includes('{') ? [readParam(path, param), given] : [given];
    const result = await (mock[group] ?? mock)[member](...args);
    return member === 'countRequests' ? { count: result } : result;
  };
}

function streamEvents({ session, context }: AdminCall): void {
  const readState = () => (session.journal.isClosed ? undefined : describeState(session));
  streamState(context.response, readState);
}

async function sendDocument({ context }: AdminCall, format: 'yaml' | 'json') {
  const reply = await createDocumentReply(controlApiFile, format, context);
  sendReply(context, reply);
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
  const oldest = { oldestRequest: journal.oldestId, oldestViolation: violations.oldestId };
  const compared = [state, session.snapshots(), oldest];
  const version = hash('sha1', printExactJson(compared as unknown as ExactJson), 'base64url');
  return { ...state, ...oldest, lastRequest: journal.lastId, lastViolation: violations.lastId, version };
}

/** A string that is no int64 stays a string, which the control refuses. */
function readParam(path: string, param: string): unknown {
  if (path.startsWith('/animals')) return parseInt64(param) ?? param;
  return path.startsWith('/faults') ? Number(param) : param;
}
