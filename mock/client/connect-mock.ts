import '../../common/cli/expect-node.ts';
import { findGlobal } from '../../common/find-global.ts';
import { ApiError, invalidRequest } from '../../common/http/api-error.ts';
import { type ErrorCode, errorStatuses } from '../../common/http/errors.ts';
import { readMembers } from '../../common/read-members.ts';
import { optionalKey } from '../../common/schemas.ts';
import type { FaultOptions } from '../faults/fault-options.ts';
import type { AddedFault, Fault, Faults } from '../faults/faults.ts';
import type { MockSession } from '../mock.ts';
import {
  type AnyCall,
  bindCalls,
  type MockCalls,
  mockCalls,
  type SessionCalls,
  sessionCalls,
  stateOperation,
} from '../session/control-calls.ts';
import { createRequest, type Operation, readResult, type SentRequest } from '../session/control-operation.ts';
import { expectNone, expectSomeChecked } from '../session/expect-violations.ts';
import { createSessionHeaders, expectName } from '../session/session-name.ts';
import { printInt64 } from './types.ts';

/** The members of an object in another process: each method returns a promise, and each value becomes such a method. */
type Remote<T> = {
  readonly [Name in keyof T]: T[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : T[Name] extends object
      ? Remote<T[Name]>
      : () => Promise<T[Name]>;
};

/** A fault that was added to a mock in another process. */
export type RemoteFault = Fault & Remote<Pick<AddedFault, 'release' | 'remove'>>;

/** The faults of a mock in another process. */
export interface RemoteFaults extends Remote<Omit<Faults, 'add'>> {
  /** @throws Error with the `code` `invalid_request`, naming what is wrong. */
  add(fault: FaultOptions): Promise<RemoteFault>;
}

/** A session of a mock in another process. */
export interface RemoteSession
  extends Remote<Omit<MockSession, 'url' | 'headers' | 'faults' | 'findActingValues'>> {
  readonly url: string;
  readonly headers: MockSession['headers'];
  readonly faults: RemoteFaults;
}

/** A mock in another process. */
export interface RemoteMock extends RemoteSession, Remote<MockCalls> {
  /** Returns the session with this name, which its first call creates. @throws Error with the `code` `invalid_request` */
  session(name: string): RemoteSession;
}

// Kept from the load of this module: a test may replace the fetch of its app.
const fetch = findGlobal('fetch');

/** Parses a URL. jsdom of Jest 29 has no `URL.parse`. */
function parseUrl(url: string): URL | undefined {
  try {
    return new URL(url);
  } catch {
    return undefined;
  }
}

/**
 * Creates the client of a mock that runs in another process. Its methods throw the errors of the library, and an Error if no
 * mock answers.
 * @param url of the mock or of a session, with or without `/v1`.
 * @throws Error with the `code` `invalid_request` for another URL or option.
 */
export function connectMock(url: string, options: { readonly adminToken?: string } = {}): RemoteMock {
  const { origin, pathname, protocol } = parseUrl(url) ?? {};
  if (pathname === undefined || !/^https?:$/.test(`${protocol}`))
    throw invalidRequest('connectMock needs the URL of a mock, such as http://127.0.0.1:4010.');
  // A token instead of the object is not repeated.
  if (typeof options !== 'object' || options === null)
    throw invalidRequest("connectMock takes an object of options, such as { adminToken: 'token' }.");
  const { adminToken } = readMembers('The options', options, { adminToken: optionalKey });
  const base = origin + pathname.replace(/(?:\/v1)?\/?$/, '');
  const ofMock = base.replace(/\/sessions\/[^/]+$/, '');
  const session = (name: string) => {
    expectName('A session', name);
    return createRemote(`${ofMock}/sessions/${name}`, adminToken);
  };
  return Object.assign(createRemote(base, adminToken), { session });
}

function createRemote(base: string, adminToken: string | undefined): RemoteMock {
  const headers = {
    'Content-Type': 'application/json',
    ...(adminToken !== undefined && { Authorization: `Bearer ${adminToken}` }),
  };
  const ask = ({ method, path }: Operation, { param = '', query, body }: SentRequest = {}) => {
    const target = `/__admin${path.replace(/\{\w+\}/, encodeURIComponent(String(param)))}${printQuery(query)}`;
    return send(base, target, { method, headers, body: printInt64(body) });
  };
  const bind = (call: AnyCall<never>) => {
    return async (...args: never[]) => {
      const request = createRequest(call, call.toSent?.(...args) ?? args);
      return readResult(call, await ask(call, request));
    };
  };
  const readState = async () => JSON.parse(await ask(stateOperation));
  const calls: Remote<SessionCalls> = bindCalls(sessionCalls, bind);
  const ofMock: Remote<MockCalls> = bindCalls(mockCalls, bind);
  const remote: Omit<RemoteMock, 'session'> = {
    ...calls,
    ...ofMock,
    url: `${base}/v1`,
    headers: createSessionHeaders(sessionOf(base)),
    checkedUrl: async () => (await readState()).checkedUrl,
    animals: { ...calls.animals, size: async () => (await readState()).animals },
    faults: {
      ...calls.faults,
      add: async (options) => {
        const fault = await calls.faults.add(options);
        const end = (call: (id: number) => Promise<void>) => () => call(fault.id).catch(ignoreMissing);
        return { ...fault, release: end(calls.faults.release), remove: end(calls.faults.remove) };
      },
    },
    expectNoViolations: async (filter) => {
      expectNone(await calls.violations(filter));
      const requests = await calls.requests().catch(ignoreOff);
      if (requests !== undefined) expectSomeChecked(requests, filter);
    },
  };
  return remote as RemoteMock;
}

/** Returns the session in a URL, which may be under another path. */
function sessionOf(base: string): string | undefined {
  return /\/sessions\/([^/]+)$/.exec(base)?.[1];
}

/** Ignores that a fault, or its session, has ended. @throws every other error */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof ApiError) || error.code !== 'not_found') throw error;
}

/** Ignores that the journal of the mock is off. @throws every other error */
function ignoreOff(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.code !== 'invalid_request') throw error;
}

/** Prints the members that are not undefined as the query of a URL: text as it is, and all else as JSON. */
function printQuery(query: object = {}): string {
  const printed = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) printed.set(name, typeof value === 'string' ? value : printInt64(value));
  }
  return printed.size === 0 ? '' : `?${printed}`;
}

const FORWARD = 'let the development server forward /__admin and /sessions';

/** Sends a request. @returns the body of the response. @throws the error of the mock, or an Error that names what to do. */
async function send(base: string, target: string, init: RequestInit): Promise<string> {
  const answer = await fetch(base + target, init).catch((cause) => {
    const { code = cause.message } = Object(cause.cause);
    const start = /CERT|SIGNATURE/.test(code)
      ? 'Name the authority of its certificate in NODE_EXTRA_CA_CERTS'
      : 'Start it with npx --no -- animal-store-mock, or give connectMock its URL';
    const isPage = 'document' in globalThis && !/^[A-Z_]+$/.test(code);
    const advice = isPage ? `In a page, ${FORWARD}, and connect to its origin` : start;
    throw new Error(`No mock answers at ${base} (${code}). ${advice}.`, { cause });
  });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.startsWith('application/json');
  if (answer.status === 204 || (answer.ok && isJson)) return text;
  const { code = '', message = '' } = isJson ? Object(JSON.parse(text)) : {};
  // A path under /v1 asks for an API key.
  const isOfService = base.includes('/v1/');
  if (isOfService || !Object.hasOwn(errorStatuses, code))
    throw new Error(
      `${base} is no mock (${answer.status}). Give connectMock the URL that the mock prints, or ${FORWARD}.`,
    );
  if (code === 'control_api_off')
    throw new Error(`The control API of the mock at ${base} is off. Start it without --no-admin.`);
  const hint = code === 'unauthorized' ? ' Give connectMock the option adminToken.' : '';
  throw new ApiError(code as ErrorCode, message + hint);
}
