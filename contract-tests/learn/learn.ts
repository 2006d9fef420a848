import { toDifference } from '../../common/behaviour/behaviours.ts';
import type { Choice, ChoiceName, Difference } from '../../common/behaviour/choices.ts';
import { choiceNames, choices } from '../../common/behaviour/choices.ts';
import { type ExactJson, type JsonObject, printExactJson } from '../../common/json/exact-json.ts';
import { isInt64 } from '../../common/json/int64.ts';
import type { Exchange } from '../client/exchange.ts';
import { hideKeys } from '../client/hide-keys.ts';
import type { Target } from '../client/target.ts';
import { creationObservers } from './creation-observers.ts';
import { FinishedRun } from './finished-run.ts';
import { listObservers } from './list-observers.ts';
import { observeOrder } from './observe-order.ts';
import { replyObservers } from './reply-observers.ts';

/** An exchange that shows the value of a choice, without names, keys and further members. */
export interface Shown {
  /** Method and path. */
  readonly request: string;
  readonly status: number;
  /** Names of the response's headers. */
  readonly headers: readonly string[];
  /** Ids and statuses of the first animals of the response. */
  readonly animals: readonly JsonObject[];
}

/** The behaviour that a run has observed. */
export interface Learned {
  readonly version: 1;
  readonly mode: 'read-only' | 'writes';
  readonly behaviour: Difference;
  readonly observed: readonly ChoiceName[];
  /** Why the other choices are unknown. */
  readonly unknown: Partial<Record<ChoiceName, string>>;
  readonly evidence: Partial<Record<ChoiceName, readonly Shown[]>>;
  readonly animals?: readonly JsonObject[];
}

const observers = { order: observeOrder, ...listObservers, ...creationObservers, ...replyObservers };

export interface LearnOptions {
  /** Adds the listed animals, with made-up names unless `keepNames` is true. @default false */
  readonly learnAnimals?: boolean | undefined;
  readonly keepNames?: boolean | undefined;
}

/** Learns the behaviour of a deployment from the exchanges of a finished run. It sends nothing. */
export function learn(journal: readonly Exchange[], target: Target, options: LearnOptions = {}): Learned {
  const run = new FinishedRun(journal, target);
  const values: Record<string, unknown> = {};
  const unknown: Learned['unknown'] = {};
  const evidence: Learned['evidence'] = {};
  for (const name of choiceNames) {
    const isHidden = choices[name].shownBy === 'writing' && !target.allowsWrites;
    const nothing = { unknown: isHidden ? 'the run was read-only' : 'the suite sends no such request' };
    const observation = (isHidden ? undefined : observers[name]?.(run)) ?? nothing;
    if ('unknown' in observation) unknown[name] = observation.unknown;
    else if (!(choices[name] as Choice).values.includes(observation.value))
      unknown[name] = 'no value describes what was observed';
    else {
      values[name] = observation.value;
      evidence[name] = observation.evidence.map((exchange) => show(exchange, target));
    }
  }
  return {
    version: 1,
    mode: target.allowsWrites ? 'writes' : 'read-only',
    behaviour: toDifference(values),
    observed: choiceNames.filter((name) => name in values),
    unknown,
    evidence,
    ...(options.learnAnimals && { animals: listAnimals(run, values.order, options) }),
  };
}

/** Prints a learned behaviour as JSON. */
export function printLearned(learned: Learned): string {
  return `${printExactJson(learned as unknown as ExactJson, 2)}\n`;
}

/** Number of animals of an exchange that are kept. */
const FEW = 5;

function show(exchange: Exchange, target: Target): Shown {
  const { request, response, status, animals, object } = exchange;
  const ofResponse = exchange.isList ? animals.slice(0, FEW) : exchange.isSuccess && object ? [object] : [];
  return {
    request: hideKeys(exchange.shorten(`${request.method} ${request.path}`), target),
    status,
    headers: Object.keys(response?.headers ?? {}),
    animals: ofResponse.map(({ id = null, status }) => (status === undefined ? { id } : { id, status })),
  };
}

/** Lists the animals that lists had, in the order of their addition as far as lists show it. */
function listAnimals({ lists, all }: FinishedRun, order: unknown, { keepNames }: LearnOptions) {
  const own = new Set(all.flatMap(({ isAddition, id }) => (isAddition ? [id] : [])));
  const listed = lists
    .toSorted((one, other) => other.animals.length - one.animals.length)
    .flatMap(({ animals }) => animals)
    .filter(({ id, name, categoryId }) => isInt64(id) && typeof name === 'string' && isInt64(categoryId))
    .filter(({ id }) => !own.has(id as bigint));
  const animals = [...new Map(listed.map((animal) => [animal.id, animal])).values()];
  return (order === 'oldest' ? animals : animals.reverse()).map(
    ({ id = null, name: given = null, categoryId = null, status }, index): JsonObject => {
      const name = keepNames ? given : `Animal ${index + 1}`;
      return { id, name, categoryId, ...(status !== undefined && { status }) };
    },
  );
}
