import { ApiError, invalidRequest } from '../../common/http/api-error.ts';
import { type ErrorCode, errorStatuses } from '../../common/http/errors.ts';
import { isSessionName } from '../../common/http/session-path.ts';
import { expectNone } from '../../common/journal/contract-violation.ts';
import type { ViolationFilter } from '../../common/journal/violations.ts';
import { waitForRequest } from '../../common/journal/wait-for-request.ts';
import { keepLarge, parseExactJson } from '../../common/json/exact-json.ts';
import type { Mock, MockSession } from '../mock.ts';
import { type ControlCall, controlCalls, findMethod } from '../session/control-calls.ts';
import { printInt64 } from './int64.ts';

/** The same members, each of which asks another process: methods return promises, and other values become methods. */
export type Remote<T> = {
  readonly [Name in keyof T]: T[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : T[Name] extends object
      ? Remote<T[Name]>
      : () => Promise<T[Name]>;
};

/** A session of a mock in another process. Each method throws what the library throws, and an Error without an answer. */
export interface RemoteSession extends Remote<Omit<MockSession, 'url'>> {
  /** The base URL, such as `http://127.0.0.1:4010/v1` or `http://127.0.0.1:4010/sessions/w1/v1`. */
  readonly url: string;
}

/** A mock in another process. */
export interface RemoteMock extends RemoteSession, Remote<Pick<Mock, 'sessions' | 'endSession'>> {
  /** Returns the session with this name, which its first call creates. @throws Error with the `code` `invalid_request` */
  session(name: string): RemoteSession;
}

export interface ConnectOptions {
  readonly adminToken?: string | undefined;
}

// Kept from the load of this module: a test may replace the fetch of its app.
const { fetch } = globalThis;

/** Time between two looks for a request, in milliseconds. */
const POLL = 50;

/**
 * Creates the client of a mock that runs in another process. It sends nothing yet.
 * @param url of the mock or of a session, with or without `/v1`.
 * @throws Error with the `code` `invalid_request` for another URL.
 */
export function connectMock(url: string, { adminToken }: ConnectOptions = {}): RemoteMock {
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol))
    throw invalidRequest('connectMock needs the URL of a mock, such as http://127.0.0.1:4010.');
  const base = `${parsed.origin}${parsed.pathname}`.replace(/(?:\/v1)?\/?$/, '');
  const headers = {
    'Content-Type': 'application/json',
    ...(adminToken !== undefined && { Authorization: `Bearer ${adminToken}` }),
  };
  const session = (name: string) => {
    if (isSessionName(name))
      return createRemote(`${base.replace(/\/sessions\/[^/]+$/, '')}/sessions/${name}`, headers);
    throw invalidRequest(
      `A session's name must be up to 64 letters, digits, ".", "_" and "-", not "${name}".`,
    );
  };
  return Object.assign(createRemote(base, headers), { session });
}

function createRemote(base: string, headers: Readonly<Record<string, string>>): RemoteMock {
  const call = async ([name, method, path, takes]: ControlCall | typeof STATE, args: readonly unknown[]) => {
    const print = path.startsWith('/animals') ? printAnimals : printInt64;
    const [given, param] = path.includes('{') ? [args[1], args[0]] : args;
    const part = encodeURIComponent(typeof param === 'string' ? param : (print(param) ?? ''));
    const query = takes === 'query' ? given : takes === 'until' ? { until: Object(given).until } : {};
    const url = `${base}/__admin${path.replace(/\{\w+\}/, part)}${printQuery(query)}`;
    const body = takes === 'body' ? print(given) : undefined;
    const text = await send(url, base, { method, headers, ...(body !== undefined && { body }) });
    if (text === '') return undefined;
    if (path.startsWith('/animals')) return parseExactJson(text);
    const result: unknown = JSON.parse(text, keepLarge);
    return readers[name]?.(result as never) ?? result;
  };
  const readState = async () => Object(await call(STATE, []));
  const remote = {
    url: `${base}/v1`,
    checkedUrl: async () => (await readState()).checkedUrl,
    animals: { size: async () => (await readState()).animals },
    faults: {},
    waitForRequest: async ({ timeout, ...wanted }: Parameters<RemoteMock['waitForRequest']>[0] = {}) =>
      waitForRequest(remote.requests, wanted, timeout, POLL),
    expectNoViolations: async (filter?: ViolationFilter) => expectNone(await remote.violations(filter)),
  } as unknown as RemoteMock;
  for (const row of controlCalls) {
    const { owner, member } = findMethod(remote, row[0]);
    owner[member] = (...args) => call(row, args);
  }
  return remote;
}

const STATE = ['state', 'GET', '/state', undefined] as const;

const toEntries = (entries: { time: string }[]) =>
  entries.map((entry) => ({ ...entry, time: new Date(entry.time) }));
const toSettings = (settings: { now: string | null }) => ({
  ...settings,
  now: settings.now === null ? null : new Date(settings.now),
});

/** What the library returns and JSON does not have. */
const readers: Readonly<Record<string, (result: never) => unknown>> = {
  countRequests: ({ count }: { count: number }) => count,
  ...{ requests: toEntries, violations: toEntries, settings: toSettings, configure: toSettings },
};

/** Prints animals or an id. @throws ApiError `invalid_request` for a number that may have lost digits */
function printAnimals(given: unknown): string | undefined {
  JSON.stringify({ id: given }, (name, value) => {
    if (Number.isInteger(value) && !Number.isSafeInteger(value))
      throw invalidRequest(`${name} is beyond 2^53, where a number is not exact. Use a bigint.`);
    return typeof value === 'bigint' ? undefined : value;
  });
  return printInt64(given);
}

/** Prints a filter, with Dates as JSON has them. */
function printQuery(filter: unknown = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(JSON.parse(printInt64(filter)))) query.set(name, String(value));
  return query.size === 0 ? '' : `?${query}`;
}

/** Sends a request. @returns the body of the answer. @throws the error of the mock, or an Error that names what to do. */
async function send(url: string, base: string, init: RequestInit): Promise<string> {
  const response = await fetch(url, init).catch((error: Error) => {
    const { code, message = error.message } = Object(error.cause);
    const page =
      'Let the development server forward /__admin and /sessions, and connect to the origin of the page';
    const start = 'Start it with npx animal-store-mock, or give connectMock its URL';
    const advice = 'document' in globalThis ? page : start;
    throw new Error(`No mock answers at ${base} (${code ?? message}). ${advice}.`, { cause: error });
  });
  const text = await response.text();
  const isJson = /^application\/json/.test(response.headers.get('content-type') ?? '');
  if (response.status === 204 || (response.ok && isJson)) return text;
  const { code = '', message = '' } = isJson && !response.ok ? Object(JSON.parse(text)) : {};
  if (!Object.hasOwn(errorStatuses, code)) {
    const answer = `${init.method} ${url.slice(base.length)} has the answer ${response.status}`;
    throw new Error(`${base} is no mock: ${answer}. Give connectMock the URL that the mock prints.`);
  }
  if (code === 'not_found' && message.includes('The animals are at'))
    throw new Error(`The control API of the mock at ${base} is off. Start it without --no-admin.`);
  const hint = code === 'unauthorized' ? ' Give connectMock the option adminToken.' : '';
  throw new ApiError(code as ErrorCode, message + hint);
}
