import { ApiError, invalidRequest } from '../../common/http/api-error.ts';
import { type ErrorCode, errorStatuses } from '../../common/http/errors.ts';
import { expectName } from '../../common/http/session-path.ts';
import { expectNone } from '../../common/journal/violation.ts';
import { waitForRequest } from '../../common/journal/wait-for-request.ts';
import { keepLarge, parseExactJson } from '../../common/json/exact-json.ts';
import type { Mock, MockSession } from '../mock.ts';
import { type ControlCall, controlCalls } from '../session/control-calls.ts';

/** The members of an object in another process: each method returns a promise, and each value becomes such a method. */
type Remote<T> = {
  readonly [Name in keyof T]: T[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : T[Name] extends object
      ? Remote<T[Name]>
      : () => Promise<T[Name]>;
};

/** A session of a mock in another process. */
export interface RemoteSession extends Remote<Omit<MockSession, 'url'>> {
  readonly url: string;
}

/** A mock in another process. */
export interface RemoteMock extends RemoteSession, Remote<Pick<Mock, 'sessions' | 'endSession'>> {
  /** Returns the session with this name, which its first call creates. @throws Error with the `code` `invalid_request` */
  session(name: string): RemoteSession;
}

// Kept from the load of this module: a test may replace the fetch of its app.
const { fetch } = globalThis;

/**
 * Creates the client of a mock that runs in another process. Its methods throw the errors of the library, and an Error if no
 * mock answers.
 * @param url of the mock or of a session, with or without `/v1`.
 * @throws Error with the `code` `invalid_request` for another URL.
 */
export function connectMock(url: string, options: { readonly adminToken?: string } = {}): RemoteMock {
  const { origin, pathname, protocol } = URL.parse(url) ?? {};
  if (!fetch) throw new Error('connectMock needs fetch. In Jest, set testEnvironment to node.');
  if (pathname === undefined || !/^https?:$/.test(`${protocol}`))
    throw invalidRequest('connectMock needs the URL of a mock, such as http://127.0.0.1:4010.');
  const base = origin + pathname.replace(/(?:\/v1)?\/?$/, '');
  const session = (name: string) => {
    expectName('A session', name);
    return createRemote(`${base.replace(/\/sessions\/[^/]+$/, '')}/sessions/${name}`, options.adminToken);
  };
  return Object.assign(createRemote(base, options.adminToken), { session });
}

function createRemote(base: string, adminToken: string | undefined): RemoteMock {
  const headers = {
    'Content-Type': 'application/json',
    ...(adminToken !== undefined && { Authorization: `Bearer ${adminToken}` }),
  };
  const call = async ([name, method, path, takes]: ControlCall, args: readonly unknown[]) => {
    const [given, param] = path.includes('{') ? [args[1], args[0]] : args;
    const part = encodeURIComponent(typeof param === 'string' ? param : (print(param, path) ?? ''));
    const filter = takes === 'query' ? given : takes === 'until' ? { until: Object(given).until } : {};
    const query = new URLSearchParams(JSON.parse(print(filter ?? {}, path)));
    const body = takes === 'body' ? print(given, path) : undefined;
    const target = `/__admin${path.replace(/\{\w+\}/, part)}?${query}`;
    const text = await send(base, target, { method, headers, ...(body !== undefined && { body }) });
    return text === '' ? undefined : readResult(name, text);
  };
  const readState = () => call(['state', 'GET', '/state'], []);
  const remote = {
    url: `${base}/v1`,
    checkedUrl: async () => (await readState()).checkedUrl,
    animals: { size: async () => (await readState()).animals },
    faults: {},
    waitForRequest: async ({ timeout, ...wanted }: { timeout?: number } = {}) =>
      waitForRequest(remote.requests, wanted, timeout, 50),
    expectNoViolations: async (filter?: object) => expectNone(await remote.violations(filter)),
  } as unknown as RemoteMock;
  for (const row of controlCalls) {
    const [member = '', group = ''] = row[0].split('.').reverse();
    (Object(remote)[group] ?? remote)[member] = (...args: unknown[]) => call(row, args);
  }
  return remote;
}

/** @throws ApiError `invalid_request` for a number of an animal that may have lost digits */
function print(given: unknown, path: string): string {
  return JSON.stringify(given, (name, value) => {
    if (typeof value === 'bigint') return JSON.rawJSON(`${value}`);
    if (path.startsWith('/animals') && Number.isInteger(value) && !Number.isSafeInteger(value))
      throw invalidRequest(`${name || 'id'} is beyond 2^53, where a number is not exact. Use a bigint.`);
    return value;
  });
}

function readResult(name: string, text: string) {
  if (name.startsWith('animals')) return parseExactJson(text);
  const result = JSON.parse(text, keepLarge);
  const toEntry = (entry: { time: string }) => ({ ...entry, time: new Date(entry.time) });
  if (/^(?:requests|violations)$/.test(name)) return result.map(toEntry);
  if (/^(?:settings|configure)$/.test(name)) return { ...result, now: result.now && new Date(result.now) };
  return name === 'countRequests' ? result.count : result;
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
  if (!Object.hasOwn(errorStatuses, code) || base.includes('/v1/'))
    throw new Error(
      `${base} is no mock (${answer.status}). Give connectMock the URL that the mock prints, or ${FORWARD}.`,
    );
  if (/^There is nothing at \/__admin\S+ The animals/.test(message))
    throw new Error(`The control API of the mock at ${base} is off. Start it without --no-admin.`);
  const hint = code === 'unauthorized' ? ' Give connectMock the option adminToken.' : '';
  throw new ApiError(code as ErrorCode, message + hint);
}
