import type { JournalEntry } from '../../common/journal/journal-entry.ts';
import type { Schema } from '../../common/schema.ts';
import { type FaultOptions, newFault } from '../faults/fault-options.ts';
import type { Fault, Faults } from '../faults/faults.ts';
import type { EndOfWait, Journal } from '../journal/journal.ts';
import type { WaitFilter } from '../journal/request-filter.ts';
import { type Violations, violationFilter } from '../journal/violations.ts';
import type { Animals } from './animals.ts';
import { type Operation, toExact, toSentFilter, toSentUntil } from './control-operation.ts';
import * as schemas from './control-schemas.ts';
import type { Session } from './session.ts';
import type { Sessions } from './sessions.ts';
import { type Settings, settingChanges } from './setting-changes.ts';

// Users import the types of this file and do not install valibot, so its exports name no type of valibot. The client of another
// process imports the rows, and so they import only types of what is large.

/** Methods of the faults, which return values that JSON can hold. */
interface FaultCalls extends Omit<Faults, 'add'> {
  /** @throws Error with the `code` `invalid_request`, naming what is wrong. */
  add(fault: FaultOptions): Fault;
}

/** Methods of a session that the library, the control API and the client of another process have. */
export interface SessionCalls
  extends Pick<Session, 'reset' | 'snapshots' | 'snapshot' | 'removeSnapshot' | 'restore'>,
    Pick<Session, 'profiles' | 'fill' | 'configure'>,
    Pick<Journal, 'requests' | 'countRequests' | 'waitForRequest' | 'waitForResponse' | 'clearRequests'>,
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

/** The waits as the control API calls them. The signal ends a wait whose client has left. */
interface Waits {
  waitForRequest(filter?: WaitFilter, signal?: EndOfWait): Promise<JournalEntry>;
  waitForResponse(filter?: WaitFilter, signal?: EndOfWait): Promise<JournalEntry>;
}

/** An operation that is a method: its arguments are the parameter, the body and the query, as far as the operation has them. */
type ControlCall<Target, Args extends readonly unknown[], Value> = Operation &
  (Awaited<Value> extends void
    ? { readonly result?: never }
    : { readonly result: Schema<Awaited<Value>> }) & {
    /** Returns the arguments that the client sends. @throws ApiError for what JSON would change in silence */
    toSent?(...args: Args): readonly unknown[];
    /** True if it takes a signal as its last argument, which ends it when its client has left. */
    readonly isWait?: true;
    /** Returns the result as the response has it. @default the result */
    toJson?(value: Awaited<Value>): unknown;
    run(target: Target, ...args: Args): Value;
  };

/** A call for each method of an object, and of the objects in it. */
type Calls<Target, Methods> = {
  readonly [Name in keyof Methods]: Methods[Name] extends (...args: infer Args) => infer Value
    ? ControlCall<Target, Args, Value>
    : Calls<Target, Methods[Name]>;
};

/** The calls of each session. The routes of the control API, the library and the client of another process have them. */
export const sessionCalls: Calls<Session, Omit<SessionCalls, keyof Waits> & Waits> = {
  reset: {
    method: 'POST',
    path: '/reset',
    about: 'Restore animals and settings of the start, remove faults, requests and violations',
    details: 'Keeps snapshots.',
    run: (session) => session.reset(),
  },
  snapshots: {
    method: 'GET',
    path: '/snapshots',
    about: 'List the names of the snapshots',
    details: 'Leaves out names that begin with a dot.',
    result: schemas.names,
    run: (session) => session.snapshots(),
  },
  snapshot: {
    method: 'PUT',
    path: '/snapshots/{name}',
    about: 'Save the animals and the next id as a snapshot',
    details: 'Replaces the snapshot with this name.',
    param: schemas.name,
    run: (session, ...args) => session.snapshot(...args),
  },
  removeSnapshot: {
    method: 'DELETE',
    path: '/snapshots/{name}',
    about: 'Delete a snapshot',
    param: schemas.name,
    run: (session, ...args) => session.removeSnapshot(...args),
  },
  restore: {
    method: 'POST',
    path: '/snapshots/{name}/restore',
    about: 'Restore a snapshot',
    param: schemas.name,
    query: schemas.restoreOptions,
    run: (session, ...args) => session.restore(...args),
  },
  profiles: {
    method: 'GET',
    path: '/profiles',
    about: 'List profiles',
    result: schemas.profiles,
    run: (session) => session.profiles(),
  },
  fill: {
    method: 'POST',
    path: '/profiles/{name}/fill',
    about: 'Replace all animals with the animals of a profile',
    details:
      'Uses the seed of the mock. Faults, settings, requests and snapshots stay. A reset restores the animals of the start.',
    param: schemas.profileName,
    run: (session, ...args) => session.fill(...args),
  },
  animals: {
    all: {
      method: 'GET',
      path: '/animals',
      about: 'List all animals, oldest first',
      result: schemas.animals,
      run: (session) => session.animals.all(),
    },
    replace: {
      method: 'PUT',
      path: '/animals',
      about: 'Replace all animals with these animals',
      details: 'An animal without an id gets the next free id.',
      body: schemas.newAnimals,
      result: schemas.animals,
      toSent: toExact,
      run: (session, ...args) => session.animals.replace(...args),
    },
    add: {
      method: 'POST',
      path: '/animals',
      about: 'Add an animal',
      body: schemas.newAnimal,
      result: schemas.animal,
      toSent: toExact,
      run: (session, ...args) => session.animals.add(...args),
    },
    get: {
      method: 'GET',
      path: '/animals/{id}',
      about: 'Get an animal',
      param: schemas.animalId,
      result: schemas.animal,
      toSent: toExact,
      run: (session, ...args) => session.animals.get(...args),
    },
    set: {
      method: 'PUT',
      path: '/animals/{id}',
      about: 'Replace the animal with this id, or add it',
      details: 'Adds the animal if the id is new. An id in the body must equal the id in the path.',
      param: schemas.animalId,
      body: schemas.newAnimal,
      result: schemas.animal,
      toSent: toExact,
      run: (session, ...args) => session.animals.set(...args),
    },
    remove: {
      method: 'DELETE',
      path: '/animals/{id}',
      about: 'Remove an animal',
      param: schemas.animalId,
      toSent: toExact,
      run: (session, ...args) => session.animals.remove(...args),
    },
  },
  settings: {
    method: 'GET',
    path: '/settings',
    about: 'Get the settings',
    result: schemas.settings,
    run: (session) => session.showSettings(),
  },
  configure: {
    method: 'PATCH',
    path: '/settings',
    about: 'Change now, apiKeys or behaviour until the next reset',
    body: settingChanges,
    result: schemas.settings,
    run: (session, ...args) => session.configure(...args),
  },
  faults: {
    list: {
      method: 'GET',
      path: '/faults',
      about: 'List active faults, oldest first',
      result: schemas.faults,
      run: (session) => session.plugins.faults.list(),
    },
    add: {
      method: 'POST',
      path: '/faults',
      about: 'Add a fault, which makes requests fail',
      details:
        'If several faults match a request, the newest one applies. Its delay and its hold may come from other faults, and the delay begins with the release.',
      body: newFault,
      result: schemas.fault,
      run: (session, ...args) => session.plugins.faults.add(...args),
    },
    clear: {
      method: 'DELETE',
      path: '/faults',
      about: 'Remove all faults',
      run: (session) => session.plugins.faults.clear(),
    },
    release: {
      method: 'POST',
      path: '/faults/{id}/release',
      about: 'Let the requests go on that a fault holds, and remove the fault',
      isForExisting: true,
      param: schemas.faultId,
      run: (session, ...args) => session.plugins.faults.release(...args),
    },
    remove: {
      method: 'DELETE',
      path: '/faults/{id}',
      about: 'Remove a fault',
      details: 'Requests that the fault holds or delays continue at once.',
      isForExisting: true,
      param: schemas.faultId,
      run: (session, ...args) => session.plugins.faults.remove(...args),
    },
  },
  requests: {
    method: 'GET',
    path: '/requests',
    about: 'List the latest requests, in the order of their arrival',
    details:
      'A request is listed from its arrival on. Until its response, it has neither `status` nor `ms`. Leaves out requests to the control API and the health check.',
    query: schemas.listFilter,
    result: schemas.journalEntries,
    toSent: toSentFilter,
    run: (session, ...args) => session.plugins.journal.requests(...args),
  },
  clearRequests: {
    method: 'DELETE',
    path: '/requests',
    about: 'Remove requests, or with until=7 requests up to id 7',
    details: 'Removes requests that wait for their response too.',
    query: schemas.until,
    toSent: toSentUntil,
    run: (session, ...args) => session.plugins.journal.clearRequests(...args),
  },
  countRequests: {
    method: 'GET',
    path: '/requests/count',
    about: 'Count requests',
    details: 'Counts the requests that the journal has.',
    query: schemas.listFilter,
    result: schemas.count,
    toSent: toSentFilter,
    toJson: (count) => ({ count }),
    run: (session, ...args) => session.plugins.journal.countRequests(...args),
  },
  waitForRequest: {
    method: 'GET',
    path: '/requests/wait',
    about: 'Wait until a matching request has arrived',
    details:
      'Returns the first matching request as soon as it has arrived with its body, also if that was before. It may still wait for its response.',
    query: schemas.waitFilter,
    result: schemas.journalEntry,
    toSent: toSentFilter,
    isWait: true,
    run: (session, ...args) => session.plugins.journal.waitFor('request', ...args),
  },
  waitForResponse: {
    method: 'GET',
    path: '/responses/wait',
    about: 'Wait until a matching request has its response',
    details:
      'Returns the first matching request as soon as it has its response or was broken off, also if that was before.',
    query: schemas.waitFilter,
    result: schemas.journalEntry,
    toSent: toSentFilter,
    isWait: true,
    run: (session, ...args) => session.plugins.journal.waitFor('response', ...args),
  },
  violations: {
    method: 'GET',
    path: '/violations',
    about: 'List the violations that the checked proxy found',
    details: 'Returns the latest 1,000 violations. Returns 400 if there is no checked proxy.',
    query: violationFilter,
    result: schemas.violations,
    run: (session, ...args) => session.plugins.violations.violations(...args),
  },
  clearViolations: {
    method: 'DELETE',
    path: '/violations',
    about: 'Remove violations, or with until=7 violations up to id 7',
    query: schemas.until,
    toSent: toSentUntil,
    run: (session, ...args) => session.plugins.violations.clearViolations(...args),
  },
};

export const mockCalls: Calls<Sessions, MockCalls> = {
  sessions: {
    method: 'GET',
    path: '/sessions',
    about: 'List the names of the sessions',
    details:
      'The session that was unused for longest is first. The first request of a session creates it. A refused request creates none.',
    result: schemas.names,
    run: (sessions) => sessions.names(),
  },
  endSession: {
    method: 'DELETE',
    path: '/sessions/{name}',
    about: 'End a session',
    details:
      'Requests that its faults hold or delay continue at once. The next request with this name creates a new session.',
    param: schemas.name,
    run: (sessions, ...args) => sessions.end(...args),
  },
};

/** The operation that the client asks for the number of animals and for the URL of the checked proxy. */
export const stateOperation = {
  method: 'GET',
  path: '/state',
  about: 'Get faults, settings, the number of animals and the latest ids',
} as const satisfies Operation;

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
