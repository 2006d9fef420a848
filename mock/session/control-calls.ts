import { describeValue, invalidRequest } from '../../common/http/api-error.ts';
import { expectFilter } from '../../common/journal/expect-filter.ts';
import type { Journal } from '../../common/journal/journal.ts';
import type { JournalEntry, Until } from '../../common/journal/journal-entry.ts';
import type { JsonFilter, ListFilter, WaitFilter } from '../../common/journal/request-filter.ts';
import type { Violations } from '../../common/journal/violations.ts';
import { type ExactJson, keepLarge, parseExactJson, printExactJson } from '../../common/json/exact-json.ts';
import { parseInt64 } from '../../common/json/int64.ts';
import type { Animals, Int64 } from './animals.ts';
import type { FaultOptions } from './fault-options.ts';
import type { Fault, Faults } from './faults.ts';
import type { Session } from './session.ts';
import type { Sessions } from './sessions.ts';
import type { Settings } from './settings.ts';

// The client of another process imports this file, and so it imports types only of the session.

/** Methods of the faults, which return values that JSON can hold. */
interface FaultCalls extends Omit<Faults, 'add'> {
  /** @throws Error with the `code` `invalid_request`, naming what is wrong. */
  add(fault: FaultOptions): Fault;
}

/** Methods of the journal that take a filter, which JSON can hold. */
export interface RequestCalls {
  requests(filter?: JsonFilter<ListFilter>): JournalEntry[];
  countRequests(filter?: JsonFilter<ListFilter>): number;
  waitForRequest(filter?: JsonFilter<WaitFilter>): Promise<JournalEntry>;
  waitForResponse(filter?: JsonFilter<WaitFilter>): Promise<JournalEntry>;
}

/** Methods of a session that the library, the control API and the client of another process have. */
export interface SessionCalls
  extends Pick<Session, 'reset' | 'snapshots' | 'snapshot' | 'removeSnapshot' | 'restore'>,
    Pick<Session, 'profiles' | 'fill' | 'configure' | 'actedChoices'>,
    RequestCalls,
    Pick<Journal, 'clearRequests'>,
    Pick<Violations, 'violations' | 'clearViolations'> {
  readonly animals: Omit<Animals, 'size'>;
  readonly faults: FaultCalls;
  /** Returns the settings, with `[key]` for each key. */
  settings(): Settings;
}

/** Methods of a mock for all of its sessions. */
export interface MockCalls {
  /** Returns the names of the sessions; the one that was unused for longest comes first. */
  sessions(): string[];
  /** Ends a session: the next use of its name creates another. @throws Error with the `code` `not_found` */
  endSession(name: string): void;
}

export type ControlMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A request as the control API has read it. The methods check the values. */
interface ReadRequest {
  /** The parameter in the path, or an empty string. */
  readonly param: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** The parts of a request that the client sends. */
export interface SentRequest {
  readonly param?: Int64 | string;
  readonly query?: object | undefined;
  readonly body?: unknown;
}

/** Where the arguments of a method are in a request. */
interface Arguments<Args extends readonly unknown[]> {
  toRequest(...args: Args): SentRequest;
  fromRequest(request: ReadRequest): Args;
}

/** What the result of a method is as JSON. The response to undefined is a 204 without a body. */
interface Result<Value> {
  toJson(value: Value): unknown;
  fromText(text: string): Value;
}

/** A method, its operation of the control API, and how a request and a response carry its arguments and its result. */
export interface ControlCall<Target, Args extends readonly unknown[], Value> {
  readonly method: ControlMethod;
  /** Path under `/__admin`, with at most one parameter, such as `/animals/{id}`. */
  readonly path: string;
  /** True if the call is about something that only an existing session has, so that it never starts a session. */
  readonly isForExisting?: true;
  readonly takes: Arguments<Args>;
  readonly gives: Result<Awaited<Value>>;
  readonly run: (target: Target, ...args: Args) => Value;
}

/** A call for each method of an object, and of the objects in it. */
export type Calls<Target, Methods> = {
  readonly [Name in keyof Methods]: Methods[Name] extends (...args: infer Args) => infer Value
    ? ControlCall<Target, Args, Value>
    : Calls<Target, Methods[Name]>;
};

const nothing: Arguments<[]> = { toRequest: () => ({}), fromRequest: () => [] };

const name: Arguments<[name: string]> = {
  toRequest: (given) => ({ param: given }),
  fromRequest: ({ param }) => [param],
};

/** A string that is no int64 stays a string, which the method refuses. */
const toAnimalId = (param: string) => parseInt64(param) ?? (param as never);

const animalId: Arguments<[id: Int64]> = {
  toRequest: (id) => ({ param: expectExact(id) }),
  fromRequest: ({ param }) => [toAnimalId(param)],
};

/** A string that is no id stays a string, which the method refuses. */
const toFaultId = (param: string) => (/^[1-9]\d{0,14}$/.test(param) ? Number(param) : (param as never));

const faultId: Arguments<[id: number]> = {
  toRequest: (id) => ({ param: id }),
  fromRequest: ({ param }) => [toFaultId(param)],
};

const animal = <Body>(): Arguments<[body: Body]> => ({
  toRequest: (body) => ({ body: expectExact(body) }),
  fromRequest: (request) => [request.body as Body],
});

const animalIdAndBody = <Body>(): Arguments<[id: Int64, body: Body]> => ({
  toRequest: (id, body) => ({ param: expectExact(id), body: expectExact(body) }),
  fromRequest: ({ param, body }) => [toAnimalId(param), body as Body],
});

const body = <Body>(): Arguments<[body: Body]> => ({
  toRequest: (given) => ({ body: given }),
  fromRequest: (request) => [request.body as Body],
});

const query = <Query extends object>(): Arguments<[query?: Query]> => ({
  toRequest: (given) => ({ query: given }),
  fromRequest: (request) => [request.query as Query],
});

/** Members of a filter that are objects are JSON in the query. @throws ApiError `invalid_request` for a function */
const requestFilter = <Filter extends object>(): Arguments<[filter?: Filter]> => ({
  toRequest: (given = {} as Filter) => {
    expectFilter(given);
    if ('where' in given && given.where !== undefined)
      throw invalidRequest(
        'The filter: where works only in the process of the mock. Filter what requests() returns.',
      );
    return { query: mapObjects(given, (_name, value) => printExactJson(value as ExactJson)) };
  },
  fromRequest: (request) => [mapObjects(request.query, readFilterObject) as Filter],
});

/** Changes the members `query` and `body` of a filter, if it has them. */
function mapObjects(filter: object, change: (name: string, value: unknown) => unknown): object {
  const changed = Object.entries(filter).map(([name, value]) => {
    const isObject = (name === 'query' || name === 'body') && value !== undefined;
    return [name, isObject ? change(name, value) : value];
  });
  return Object.fromEntries(changed);
}

function readFilterObject(name: string, text: unknown): unknown {
  try {
    return parseExactJson(String(text));
  } catch {
    const example = name === 'body' ? '{"name":"Rex"}' : '{"status":"sold"}';
    throw invalidRequest(
      `The filter: ${name} must be JSON, such as ${example}, not ${describeValue(`${text}`)}.`,
    );
  }
}

const nameAndQuery = <Query extends object>(): Arguments<[name: string, query?: Query]> => ({
  toRequest: (given, options) => ({ param: given, query: options }),
  fromRequest: (request) => [request.param, request.query as Query],
});

/** The methods ignore other members, since tests use them as hooks, which get a context. In a query they are refused. */
const until: Arguments<[until?: Until]> = {
  toRequest: (given) => ({ query: { until: given?.until } }),
  fromRequest: (request) => {
    const other = Object.keys(request.query).find((member) => member !== 'until');
    if (other === undefined) return [request.query as Until];
    throw invalidRequest(`The filter: ${describeValue(other)} is unknown. Known: until.`);
  },
};

/** @throws ApiError `invalid_request` for a number of an animal that may have lost digits */
function expectExact<Value>(given: Value, member = 'id'): Value {
  if (Number.isInteger(given) && !Number.isSafeInteger(given))
    throw invalidRequest(`${member} is beyond 2^53, where a number is not exact. Use a bigint.`);
  if (Array.isArray(given)) for (const one of given) expectExact(one);
  else if (Object(given) === given)
    for (const [key, one] of Object.entries(given as object)) expectExact(one, key);
  return given;
}

const none: Result<void> = { toJson: () => undefined, fromText: () => undefined };

const json = <Value>(): Result<Value> => ({
  toJson: (value) => value,
  fromText: (text) => JSON.parse(text, keepLarge),
});

/** Animals, whose ids are bigints. */
const animals = <Value>(): Result<Value> => ({
  toJson: (value) => value,
  fromText: (text) => parseExactJson(text) as Value,
});

const withDate = <Entry extends { readonly time: Date }>(entry: Entry): Entry => {
  return { ...entry, time: new Date(entry.time) };
};

const entry: Result<JournalEntry> = {
  toJson: (value) => value,
  fromText: (text) => withDate(JSON.parse(text, keepLarge)),
};

const entries = <Entry extends { readonly time: Date }>(): Result<Entry[]> => ({
  toJson: (value) => value,
  fromText: (text) => JSON.parse(text, keepLarge).map(withDate),
});

const settings: Result<Settings> = {
  toJson: (value) => value,
  fromText: (text) => {
    const { now, ...others } = JSON.parse(text, keepLarge);
    return { now: now && new Date(now), ...others };
  },
};

const count: Result<number> = {
  toJson: (value) => ({ count: value }),
  fromText: (text) => JSON.parse(text).count,
};

/** The calls of each session. The routes of the control API, the library and the client of another process have them. */
export const sessionCalls: Calls<Session, SessionCalls> = {
  reset: {
    method: 'POST',
    path: '/reset',
    takes: nothing,
    gives: none,
    run: (session) => session.reset(),
  },
  snapshots: {
    method: 'GET',
    path: '/snapshots',
    takes: nothing,
    gives: json(),
    run: (session) => session.snapshots(),
  },
  snapshot: {
    method: 'PUT',
    path: '/snapshots/{name}',
    takes: name,
    gives: none,
    run: (session, ...args) => session.snapshot(...args),
  },
  removeSnapshot: {
    method: 'DELETE',
    path: '/snapshots/{name}',
    takes: name,
    gives: none,
    run: (session, ...args) => session.removeSnapshot(...args),
  },
  restore: {
    method: 'POST',
    path: '/snapshots/{name}/restore',
    takes: nameAndQuery(),
    gives: none,
    run: (session, ...args) => session.restore(...args),
  },
  profiles: {
    method: 'GET',
    path: '/profiles',
    takes: nothing,
    gives: json(),
    run: (session) => session.profiles(),
  },
  fill: {
    method: 'POST',
    path: '/profiles/{name}/fill',
    takes: name,
    gives: none,
    run: (session, ...args) => session.fill(...args),
  },
  animals: {
    all: {
      method: 'GET',
      path: '/animals',
      takes: nothing,
      gives: animals(),
      run: (session) => session.animals.all(),
    },
    replace: {
      method: 'PUT',
      path: '/animals',
      takes: animal(),
      gives: animals(),
      run: (session, ...args) => session.animals.replace(...args),
    },
    add: {
      method: 'POST',
      path: '/animals',
      takes: animal(),
      gives: animals(),
      run: (session, ...args) => session.animals.add(...args),
    },
    get: {
      method: 'GET',
      path: '/animals/{id}',
      takes: animalId,
      gives: animals(),
      run: (session, ...args) => session.animals.get(...args),
    },
    set: {
      method: 'PUT',
      path: '/animals/{id}',
      takes: animalIdAndBody(),
      gives: animals(),
      run: (session, ...args) => session.animals.set(...args),
    },
    remove: {
      method: 'DELETE',
      path: '/animals/{id}',
      takes: animalId,
      gives: none,
      run: (session, ...args) => session.animals.remove(...args),
    },
  },
  settings: {
    method: 'GET',
    path: '/settings',
    takes: nothing,
    gives: settings,
    run: (session) => session.showSettings(),
  },
  configure: {
    method: 'PATCH',
    path: '/settings',
    takes: body(),
    gives: settings,
    run: (session, ...args) => session.configure(...args),
  },
  actedChoices: {
    method: 'GET',
    path: '/acted-choices',
    takes: nothing,
    gives: json(),
    run: (session) => session.actedChoices(),
  },
  faults: {
    list: {
      method: 'GET',
      path: '/faults',
      takes: nothing,
      gives: json(),
      run: (session) => session.faults.list(),
    },
    add: {
      method: 'POST',
      path: '/faults',
      takes: body(),
      gives: json(),
      run: (session, ...args) => session.faults.add(...args),
    },
    clear: {
      method: 'DELETE',
      path: '/faults',
      takes: nothing,
      gives: none,
      run: (session) => session.faults.clear(),
    },
    release: {
      method: 'POST',
      path: '/faults/{id}/release',
      isForExisting: true,
      takes: faultId,
      gives: none,
      run: (session, ...args) => session.faults.release(...args),
    },
    remove: {
      method: 'DELETE',
      path: '/faults/{id}',
      isForExisting: true,
      takes: faultId,
      gives: none,
      run: (session, ...args) => session.faults.remove(...args),
    },
  },
  requests: {
    method: 'GET',
    path: '/requests',
    takes: requestFilter(),
    gives: entries(),
    run: (session, ...args) => session.journal.requests(...args),
  },
  clearRequests: {
    method: 'DELETE',
    path: '/requests',
    takes: until,
    gives: none,
    run: (session, ...args) => session.journal.clearRequests(...args),
  },
  countRequests: {
    method: 'GET',
    path: '/requests/count',
    takes: requestFilter(),
    gives: count,
    run: (session, ...args) => session.journal.countRequests(...args),
  },
  waitForRequest: {
    method: 'GET',
    path: '/requests/wait',
    takes: requestFilter(),
    gives: entry,
    run: (session, ...args) => session.journal.waitForRequest(...args),
  },
  waitForResponse: {
    method: 'GET',
    path: '/responses/wait',
    takes: requestFilter(),
    gives: entry,
    run: (session, ...args) => session.journal.waitForResponse(...args),
  },
  violations: {
    method: 'GET',
    path: '/violations',
    takes: query(),
    gives: entries(),
    run: (session, ...args) => session.violations.violations(...args),
  },
  clearViolations: {
    method: 'DELETE',
    path: '/violations',
    takes: until,
    gives: none,
    run: (session, ...args) => session.violations.clearViolations(...args),
  },
};

/** The calls for all sessions of a mock. */
export const mockCalls: Calls<Sessions, MockCalls> = {
  sessions: {
    method: 'GET',
    path: '/sessions',
    takes: nothing,
    gives: json(),
    run: (sessions) => sessions.names(),
  },
  endSession: {
    method: 'DELETE',
    path: '/sessions/{name}',
    takes: name,
    gives: none,
    run: (sessions, ...args) => sessions.end(...args),
  },
};

/** The operation that the client asks for the number of animals and for the URL of the checked proxy. */
export const stateCall = { method: 'GET', path: '/state' } as const;

/** A call of which only the target is known. */
export type AnyCall<Target> = ControlCall<Target, readonly never[], unknown>;

function isCall<Target>(one: unknown): one is AnyCall<Target> {
  return typeof one === 'object' && one !== null && 'run' in one;
}

/** Lists calls, with their names in the library, such as `animals.add`. */
export function listCalls<Target, Methods>(
  calls: Calls<Target, Methods>,
  prefix = '',
): [string, AnyCall<Target>][] {
  return Object.entries(calls).flatMap(([own, one]): [string, AnyCall<Target>][] =>
    isCall<Target>(one)
      ? [[prefix + own, one]]
      : listCalls<Target, unknown>(one as never, `${prefix}${own}.`),
  );
}

/** Creates an object with a method for each call, as the interface of the calls has it. @param bind creates a method. */
export function bindCalls<Target, Methods, Bound>(
  calls: Calls<Target, Methods>,
  bind: (call: AnyCall<Target>) => (...args: never[]) => unknown,
): Bound {
  const members = Object.entries(calls).map(([own, one]) => [
    own,
    isCall<Target>(one) ? bind(one) : bindCalls<Target, unknown, unknown>(one as never, bind),
  ]);
  return Object.fromEntries(members);
}
