import { completeBehaviour, toDifference } from '../choices/behaviours.ts';
import { CREATE, GAPS, LIST, NEW_PET } from '../choices/choice.ts';
import {
  type Behaviour,
  type ChoiceName,
  type ChoiceValue,
  choiceNames,
  choiceOf,
  type Difference,
  hasValue,
  valuesOf,
} from '../choices/choices.ts';
import { about, candidates, findErrorCodes } from './candidates.ts';
import { comparedHeaders, decisive, type Features } from './describe-reply.ts';
import type { Finding } from './finding.ts';
import { History } from './history.ts';
import type { Recording } from './read-recording.ts';
import { type Case, Replay, type Replayed } from './replay.ts';
import { ofSeveralResponses } from './several-responses.ts';

/** How often the choices are learned again with what was learned of the others. */
const MOST_ROUNDS = 5;

export interface Learned {
  /** What the recording says about each choice that it says something about. */
  readonly findings: ReadonlyMap<ChoiceName, Finding>;
  /** The choices with one value, with the values that differ from the default. */
  readonly behaviour: Difference;
  readonly replay: Replay;
}

/** The choices that one response can show. */
const ofOneResponse = choiceNames.filter(
  (name) => ofSeveralResponses[name] === undefined && name !== 'errorCodes',
);

/**
 * Learns the behaviour with which the mock would have answered as the service did. Each choice is learned alone, with what is known
 * of the others, until nothing changes any more.
 */
export function learn(recording: Recording): Learned {
  const { stackTraceLimit } = Error;
  // Most replies are refusals, whose stack traces nobody reads and which take half of the time.
  Error.stackTraceLimit = 0;
  try {
    return learnAll(recording);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function learnAll(recording: Recording): Learned {
  const { exchanges } = recording;
  const history = new History(exchanges);
  const findings = new Map<ChoiceName, Finding>();
  for (const [name, find] of Object.entries(ofSeveralResponses)) {
    const finding = find({ exchanges, history });
    if (finding !== undefined) findings.set(name as ChoiceName, finding);
  }
  const replay = new Replay(recording, history);
  const questions = ofOneResponse.map((name) => createQuestion(name, replay));
  let base = completeBehaviour(toValues(findings));
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const before = JSON.stringify(base);
    for (const question of questions) {
      const { name } = question;
      const { finding, likely, relevant } = learnOne(question, base, replay);
      // After two rounds it is known which requests each choice decides about.
      if (round === 1) question.cases = relevant;
      if (finding === undefined) findings.delete(name);
      else findings.set(name, finding);
      const value = finding?.values.length === 1 ? finding.values[0] : likely;
      if (value !== undefined && value !== base[name]) base = { ...base, [name]: value };
    }
    const codes = findErrorCodes(replay, base);
    if (codes !== undefined) findings.set('errorCodes', codes);
    if (codes?.values.length === 1) base = { ...base, errorCodes: codes.values[0] as never };
    if (JSON.stringify(base) === before) break;
  }
  return { findings, behaviour: toDifference(toValues(findings)), replay };
}

interface Question {
  readonly name: ChoiceName;
  readonly values: readonly ChoiceValue[];
  cases: readonly Case[];
}

function createQuestion(name: ChoiceName, replay: Replay): Question {
  const values = [...new Set([...valuesOf(name), ...(candidates[name]?.(replay) ?? [])])];
  const { silentAt } = choiceOf(name);
  const isOfPost = [CREATE, GAPS, NEW_PET].includes(silentAt);
  const isMeant = ({ seen: { method, path } }: Case) => {
    if (isOfPost) return method === 'POST';
    return silentAt !== LIST || (method === 'GET' && /^\/pets\/?(?:\?|$)/.test(path));
  };
  return { name, values, cases: replay.cases.filter(isMeant) };
}

function toValues(findings: ReadonlyMap<ChoiceName, Finding>): Difference {
  const known = [...findings].filter(
    ([name, { values }]) => values.length === 1 && hasValue(name, values[0]),
  );
  return Object.fromEntries(known.map(([name, { values }]) => [name, values[0]]));
}

/** The values of a choice with which the mock would have answered one request as the service did. */
interface Vote {
  readonly one: Case;
  readonly fitting: readonly ChoiceValue[];
}

interface Opinion {
  readonly finding: Finding | undefined;
  /** The value that explains most responses, though perhaps not all. */
  readonly likely: ChoiceValue | undefined;
  /** The requests that get other replies with other values. */
  readonly relevant: readonly Case[];
}

function learnOne({ name, values, cases }: Question, base: Behaviour, replay: Replay): Opinion {
  const behaviours = values.map((value) => (base[name] === value ? base : { ...base, [name]: value }));
  const relevant: Case[] = [];
  const votes: Vote[] = [];
  for (const one of cases) {
    const predicted = behaviours.map((behaviour) => replay.answer(one, behaviour));
    const different = listDifferent(predicted).filter((feature) => isFeatureOf(name, feature));
    if (different.length === 0) continue;
    relevant.push(one);
    const isAbout = about[name]?.(one.seen, predicted[0]?.reply) ?? true;
    const vote = isAbout ? voteOn(one, values, predicted, different, replay) : undefined;
    if (vote !== undefined) votes.push(vote);
  }
  if (votes.length === 0) return { finding: undefined, likely: undefined, relevant };
  const agreed = values.filter((value) => votes.every(({ fitting }) => fitting.includes(value)));
  const count = (value: ChoiceValue) => votes.filter(({ fitting }) => fitting.includes(value)).length;
  const [likely] = values.toSorted((one, other) => count(other) - count(one));
  const telling = votes.filter(({ fitting }) => fitting.length < values.length);
  const evidence = telling.slice(0, 2).map(({ one }) => one.seen);
  return { finding: { values: agreed, evidence }, likely, relevant };
}

function listDifferent([first, ...others]: readonly Replayed[]): readonly string[] {
  const different = new Set<string>();
  const known: Features = first?.features ?? new Map();
  for (const { features } of others) {
    if (known === features) continue;
    for (const feature of [...known.keys(), ...features.keys()])
      if (known.get(feature) !== features.get(feature)) different.add(feature);
  }
  return [...different];
}

/** Finds the values with which the mock would have answered so. @returns undefined if the response says nothing about the choice */
function voteOn(
  one: Case,
  values: readonly ChoiceValue[],
  predicted: readonly Replayed[],
  different: readonly string[],
  replay: Replay,
): Vote | undefined {
  const agrees = ({ features }: Replayed, feature: string) =>
    (features.get(feature) ?? '') === (one.real.get(feature) ?? '') ||
    replay.isUnknown(one, feature, features);
  // What no value predicts has another reason.
  const isTelling = (feature: string) =>
    decisive.includes(feature) || predicted.some((reply) => agrees(reply, feature));
  const telling = ['status', ...different.filter(isTelling)];
  const fits = (reply: Replayed | undefined) =>
    reply !== undefined && telling.every((feature) => agrees(reply, feature));
  const fitting = values.filter((_, index) => fits(predicted[index]));
  const isOfOther = fitting.length === 0 || (telling.length === 1 && !different.includes('status'));
  return isOfOther ? undefined : { one, fitting };
}

const statusChoices: readonly string[] = [
  'invalidStatus',
  'statusCase',
  'statusLists',
  'repeatedParameters',
  'listsWithoutStatus',
];

/** Which animals a list shows depends on more than its choice: the age of animals is known only roughly. */
function isFeatureOf(name: ChoiceName, feature: string): boolean {
  const ofHeader = comparedHeaders[feature.replace(/^header /, '')];
  if (ofHeader !== undefined) return ofHeader.choices.includes(name);
  if (feature === 'without status') return name === 'listsWithoutStatus';
  if (feature === 'statuses') return statusChoices.includes(name);
  return feature !== 'length' || choiceOf(name).silentAt === LIST;
}
