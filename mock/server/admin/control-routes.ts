import * as v from 'valibot';
import { describeValue, invalidRequest } from '../../../common/http/api-error.ts';
import {
  type NewRequest,
  newRequest,
  readNewRequest,
  sendRequest,
} from '../../../common/http/send-request.ts';
import { parseSessionPath, readSessionHeader } from '../../../common/http/session-names.ts';
import {
  type AnyCall,
  listCalls,
  mockCalls,
  sessionCalls,
  stateOperation,
} from '../../session/control-calls.ts';
import { type Operation, readArguments } from '../../session/control-operation.ts';
import type { Session } from '../../session/session.ts';
import type { Sessions } from '../../session/sessions.ts';
import { type DocumentFormat, readServer, sendDocument } from '../docs/create-docs.ts';
import type { HttpCall } from '../http-call.ts';
import { describeState, state } from './state.ts';

interface AdminCall {
  readonly session: Session;
  readonly sessions: Sessions;
  readonly param: string;
  readonly query: Readonly<Record<string, string>>;
  /** The body as JSON. The control checks it. */
  readonly body: never;
  readonly call: HttpCall;
}

const document = v.pipe(
  v.looseObject({}),
  v.description('The document. Its server is the address of the request.'),
);

export interface ControlRoute extends Operation {
  readonly name: string;
  /** Returns the value for the response, nothing for a 204, or sends the response. */
  readonly handle: (call: AdminCall) => unknown;
}

export const controlRoutes: readonly ControlRoute[] = [
  ...listCalls(sessionCalls).map(([name, call]) => createRoute(name, call, ({ session }) => session)),
  ...listCalls(mockCalls).map(([name, call]) => createRoute(name, call, ({ sessions }) => sessions)),
  {
    ...stateOperation,
    name: 'state',
    result: state,
    handle: ({ session, sessions }) => describeState(session, sessions),
  },
  {
    name: 'send',
    method: 'POST',
    path: '/send',
    about: 'Send a request to this mock or session, as the console does',
    details:
      'The response comes as soon as the request was sent. The response to the request is in the journal, like any other.',
    isForExisting: true,
    body: newRequest,
    handle: send,
  },
  {
    name: 'yamlDocument',
    method: 'GET',
    path: '/openapi.yaml',
    about: 'Get the OpenAPI document of the control API as YAML',
    result: document,
    mediaType: 'application/yaml',
    handle: (call) => sendControlDocument(call, 'yaml'),
  },
  {
    name: 'jsonDocument',
    method: 'GET',
    path: '/openapi.json',
    about: 'Get the OpenAPI document of the control API as JSON',
    result: document,
    handle: (call) => sendControlDocument(call, 'json'),
  },
];

/** Creates the route of a call. @param find returns what the call is for. */
function createRoute<Target>(
  name: string,
  call: AnyCall<Target>,
  find: (request: AdminCall) => Target,
): ControlRoute {
  const handle = async (request: AdminCall) => {
    const args = readArguments(call, request);
    if (call.isWait) args.push(createSignal(request.call) as never);
    const result = await call.run(find(request), ...args);
    return call.toJson ? call.toJson(result as never) : result;
  };
  return { ...call, name, handle };
}

/** Creates a signal that is aborted when the client has left. */
function createSignal(call: HttpCall): AbortSignal {
  const controller = new AbortController();
  if (call.isAborted) controller.abort();
  else call.onClose(() => controller.abort());
  return controller.signal;
}

/** Sends a request to this mock or session, or to its checked proxy. */
async function send({ session, body, call }: AdminCall): Promise<void> {
  const { isChecked = false, ...request } = readNewRequest(body);
  const { checkedUrl, basePath } = session;
  if (isChecked && checkedUrl === undefined) throw invalidRequest('The mock has no checked proxy.');
  const { prefix } = parseSessionPath(basePath);
  const url = prefix + request.url;
  expectOwnSession(request, session);
  // The proxy listens at the same address. Its URL may have 0.0.0.0, which not every system connects to.
  const port = isChecked && checkedUrl !== undefined ? Number(new URL(checkedUrl).port) : undefined;
  await sendRequest(call.request, { ...request, url }, port);
}

/** Refuses a request that would be in the journal of another session. @throws ApiError `invalid_request` */
function expectOwnSession({ headers = {} }: NewRequest, session: Session): void {
  const lowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  const named = readSessionHeader(Object.fromEntries(lowerCase));
  if (named === undefined || named === session.name) return;
  const advice = 'Remove the header, or send the request in the console of that session';
  throw invalidRequest(`A header of the request names the session ${describeValue(named)}. ${advice}.`);
}

async function sendControlDocument({ call }: AdminCall, format: DocumentFormat): Promise<void> {
  // Loading what creates the document would delay the start.
  const { createControlDocument, printYaml } = await import('./create-document.ts');
  const written = createControlDocument(controlRoutes, readServer(call));
  sendDocument(call, format, format === 'yaml' ? printYaml(written) : JSON.stringify(written));
}
