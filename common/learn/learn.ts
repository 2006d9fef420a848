import { unescape as decode } from 'node:querystring';
import { completeBehaviour, toDifference } from '../behaviour/behaviours.ts';
import type { ChoiceName, Difference } from '../behaviour/choices.ts';
import { choiceNames, choices, hasValue } from '../behaviour/choices.ts';
import { type ExactJson, type JsonObject, printExactJson } from '../json/exact-json.ts';
import { isInt64, parseInt64 } from '../json/int64.ts';
import { creationObservers } from './creation-observers.ts';
import type { Exchange, Target } from './exchange.ts';
import { FinishedRun, type Observation, type Observers } from './finished-run.ts';
import { KNOWN_HEADERS } from './known-headers.ts';
import { LEARNED_VERSION } from './learned-version.ts';
import { listObservers } from './list-observers.ts';
import { isStatus } from './lists.ts';
import { malformedIds } from './name-kind.ts';
import { nameObservers } from './name-observers.ts';
import { observeOrder } from './observe-order.ts';
import { replyObservers } from './reply-observers.ts';

/** An exchange that shows the value of a choice, without names, keys and further members. */
export interface Shown {
  /** Method and path. */
  readonly request: string;
  readonly status: number;
  /** Names of the response's headers, without names that the deployment made up. */
  readonly headers: readonly string[];
  /** Ids and statuses of the first animals of the response, as far as the contract has such values. */
  readonly animals: readonly JsonObject[];
}

/** The behaviour that a run has observed. */
export interface Learned {
  readonly version: typeof LEARNED_VERSION;
  readonly mode: 'read-only' | 'writes';
  readonly behaviour: Difference;
  readonly observed: readonly ChoiceName[];
  /** Why the other choices are unknown. */
  readonly unknown: Partial<Record<ChoiceName, string>>;
  /** The unknown choices for which the deployment does what no value describes. */
  readonly undescribed: readonly ChoiceName[];
  readonly evidence: Partial<Record<ChoiceName, readonly Shown[]>>;
  readonly animals?: readonly JsonObject[];
}

/** Observers of all choices. */
export const observers: Observers = {
  order: observeOrder,
  ...listObservers,
  ...creationObservers,
  ...nameObservers,
  ...replyObservers,
};

export interface LearnOptions {
  /** Adds the listed animals, with made-up names unless `keepNames` is true. @default false */
  readonly learnAnimals?: boolean | undefined;
  readonly keepNames?: boolean | undefined;
}

/** Learns the behaviour of a deployment from the exchanges of a finished run. It sends nothing. */
export function learn(journal: readonly Exchange[], target: Target, options: LearnOptions = {}): Learned {
  const run = new FinishedRun(journal, target);
  const observeOne = (name: ChoiceName): Observation => {
    if (choices[name].shownBy === 'writing' && !target.allowsWrites)
      return { unknown: 'the run was read-only' };
    return observers[name]?.(run) ?? { unknown: 'the suite sends no such request' };
  };
  const learned = collectValues(observeOne, (exchange) => show(exchange, run));
  return {
    version: LEARNED_VERSION,
    mode: target.allowsWrites ? 'writes' : 'read-only',
    ...learned,
    ...(options.learnAnimals && {
      animals: listAnimals(run, completeBehaviour(learned.behaviour).order, options),
    }),
  };
}

/** The part of a learned behaviour that consists of choices. */
export type LearnedChoices = Pick<Learned, 'behaviour' | 'observed' | 'unknown' | 'undescribed' | 'evidence'>;

/** Collects the values of all choices. @param observeOne observes a choice @param show describes an exchange for the file */
export function collectValues(
  observeOne: (name: ChoiceName) => Observation,
  show: (exchange: Exchange) => Shown,
): LearnedChoices {
  const values: Record<string, unknown> = {};
  const unknown: Learned['unknown'] = {};
  const undescribed: ChoiceName[] = [];
  const evidence: Learned['evidence'] = {};
  for (const name of choiceNames) {
    const observation = observeOne(name);
    if ('unknown' in observation) {
      unknown[name] = observation.unknown;
      if (observation.isUndescribed) undescribed.push(name);
    } else if (!hasValue(name, observation.value)) {
      unknown[name] = 'no value describes what was observed';
      undescribed.push(name);
    } else {
      values[name] = observation.value;
      evidence[name] = observation.evidence.map(show);
    }
  }
  const observed = choiceNames.filter((name) => name in values);
  return { behaviour: toDifference(values), observed, unknown, undescribed, evidence };
}

/** Prints a learned behaviour as JSON. */
export function printLearned(learned: Learned): string {
  return `${printExactJson(learned as unknown as ExactJson, 2)}\n`;
}

/** Number of animals of an exchange that are kept. */
const FEW = 5;

function show(exchange: Exchange, run: FinishedRun): Shown {
  const { request, response, status, animals, object } = exchange;
  const ofResponse = exchange.isList ? animals : exchange.isSuccess && object ? [object] : [];
  const safe = ofResponse.filter(({ id }) => isSafeInt64(id, run)).slice(0, FEW);
  return {
    request: run.hide(exchange.shorten(`${request.method} ${toSafePath(exchange.path, run)}`)),
    status,
    headers: Object.keys(response?.headers ?? {}).filter((name) => KNOWN_HEADERS.has(name)),
    animals: safe.map(({ id = null, status }) => ({ id, ...pickStatus(status) })),
  };
}

/** Replaces what the suite may have copied from a response into a path: an id that is no int64, and an unknown status. */
function toSafePath(path: string, { unknownStatuses }: FinishedRun): string {
  const [, id = ''] = /^\/pets\/(.*)$/s.exec(path) ?? [];
  const isSafeId = id === '' || parseInt64(id) !== undefined || malformedIds.includes(id);
  if (!isSafeId) return '/pets/{petId}';
  const [, status = ''] = /[?&]status=([^&]*)/.exec(path) ?? [];
  return unknownStatuses.has(decode(status)) ? path.replace(status, '{status}') : path;
}

/** Returns whether a value is an int64 whose digits contain no key. */
function isSafeInt64(value: unknown, run: FinishedRun): boolean {
  return isInt64(value) && run.hide(`${value}`) === `${value}`;
}

/** Returns the member with a status of the contract, or none: no mock can have another one. */
function pickStatus(status: ExactJson | undefined): JsonObject {
  return status !== undefined && isStatus(status) ? { status } : {};
}

/** Lists the animals that lists had, in the order of their addition as far as lists show it. */
function listAnimals(run: FinishedRun, order: unknown, { keepNames }: LearnOptions) {
  const { lists, all } = run;
  const answersToPost = all.filter(({ request, isSuccess }) => request.method === 'POST' && isSuccess);
  const own = new Set(answersToPost.map(({ id }) => id));
  const listed = lists
    .toSorted((one, other) => other.animals.length - one.animals.length)
    .flatMap(({ animals }) => animals)
    .filter(({ id, categoryId }) => isSafeInt64(id, run) && isSafeInt64(categoryId, run))
    .filter(({ id, name }) => typeof name === 'string' && !own.has(id as bigint));
  const animals = [...new Map(listed.map((animal) => [animal.id, animal])).values()];
  // With as many digits each, names keep an order by name.
  const digits = String(animals.length).length;
  return (order === 'oldest' || order === 'name' ? animals : animals.reverse()).map(
    ({ id = null, name: given, categoryId = null, status }, index): JsonObject => {
      const number = String(index + 1).padStart(digits, '0');
      const name = keepNames ? run.hide(`${given}`) : `Animal ${number}`;
      return { id, name, categoryId, ...pickStatus(status) };
    },
  );
}
