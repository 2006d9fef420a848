import * as v from 'valibot';
import type { ExactJson } from '../../common/json/exact-json.ts';
import { mustBe } from '../../common/schemas.ts';
import { readBehaviour } from '../choices/behaviours.ts';
import {
  type ChoiceName,
  type ChoiceValue,
  choiceNames,
  type Difference,
  valuesOf,
} from '../choices/choices.ts';
import { findUnpredicted, type Unpredicted } from './find-unpredicted.ts';
import type { Learned } from './learn.ts';
import { nameRequest } from './name-request.ts';

export const LEARNED_VERSION = 1;

interface Shown {
  readonly request: string;
  readonly status: number;
}

/** A learned behaviour as it is written to a file: without ids, names and keys. */
export interface LearnedFile {
  readonly version: typeof LEARNED_VERSION;
  readonly behaviour: Difference;
  readonly observed: readonly ChoiceName[];
  /** The values that the other choices may have: several that explain all responses, or none if no value does. */
  readonly unknown: Partial<Record<ChoiceName, readonly ChoiceValue[]>>;
  readonly evidence: Partial<Record<ChoiceName, readonly Shown[]>>;
  /** Responses that the mock with this behaviour would not have given. */
  readonly notPredicted: readonly Unpredicted[];
  /** The kinds of requests in the recording. */
  readonly requests: readonly string[];
  /** The number of animals of the longest list without a filter; absent if there is none. */
  readonly longestList?: number;
}

export function toLearnedFile(learned: Learned): LearnedFile {
  const { findings, behaviour, replay } = learned;
  const { longestOfAll } = replay.history;
  const isObserved = (name: ChoiceName) => findings.get(name)?.values.length === 1;
  const observed = choiceNames.filter(isObserved);
  const others = choiceNames.filter((name) => !isObserved(name));
  const evidenceOf = (name: ChoiceName) => findings.get(name)?.evidence ?? [];
  return {
    version: LEARNED_VERSION,
    behaviour,
    observed,
    unknown: Object.fromEntries(others.map((name) => [name, findings.get(name)?.values ?? valuesOf(name)])),
    evidence: Object.fromEntries(
      observed.map((name) => [
        name,
        evidenceOf(name).map((seen) => ({ request: nameRequest(seen), status: seen.status })),
      ]),
    ),
    notPredicted: findUnpredicted(learned),
    requests: [...new Set(replay.cases.map(({ seen }) => nameRequest(seen)))].toSorted(),
    ...(longestOfAll !== undefined && { longestList: longestOfAll }),
  };
}

const aText = v.string(mustBe('a text'));
const anObject = mustBe('an object');
const anArray = mustBe('an array');
const names = v.array(v.picklist(choiceNames, mustBe('the name of a choice')), anArray);
const features = v.record(v.string(), aText, anObject);
const status = v.pipe(v.bigint(mustBe('the status of a response')), v.transform(Number));
const count = v.pipe(v.bigint(mustBe('an integer')), v.transform(Number));

const schema = v.looseObject(
  {
    version: v.literal(BigInt(LEARNED_VERSION), mustBe(`${LEARNED_VERSION}`)),
    observed: names,
    unknown: v.record(v.string(), v.array(v.any(), anArray), anObject),
    evidence: v.record(
      v.string(),
      v.array(v.object({ request: aText, status }, anObject), anArray),
      anObject,
    ),
    notPredicted: v.array(
      v.object({ request: aText, received: features, predicted: features }, anObject),
      anArray,
    ),
    requests: v.array(aText, anArray),
    longestList: v.optional(count),
  },
  anObject,
);

/** Reads a learned file that was parsed. @throws Error naming the member that is wrong */
export function readLearnedFile(value: ExactJson): LearnedFile {
  const output = parse(schema, value);
  return { ...(output as unknown as LearnedFile), behaviour: readBehaviour(output.behaviour) };
}

/** Reads the choices that a learned file knows. It throws as `readLearnedFile` does. */
export function readObserved(observed: ExactJson): readonly ChoiceName[] {
  return parse(v.object({ observed: names }), { observed }).observed;
}

function parse<Schema extends v.GenericSchema>(given: Schema, value: ExactJson): v.InferOutput<Schema> {
  const { success, output, issues } = v.safeParse(given, value);
  if (success) return output;
  const [issue] = issues;
  const problem = issue.received === 'undefined' ? 'is missing' : issue.message;
  throw new Error(`${v.getDotPath(issue) ?? 'it'} ${problem}`);
}
