import { completeBehaviour, toDifference } from '../choices/behaviours.ts';
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
import { findCandidates, findErrorCodes, isAbout } from './candidates.ts';
import { decisive } from './describe-reply.ts';
import type { Finding } from './finding.ts';
import type { Recording, Seen } from './read-recording.ts';
import { Replay, type Replayed } from './replay.ts';
import { ofSeveralResponses } from './several-responses.ts';

/** How often the choices are learned again with what was learned of the others. */
const MOST_ROUNDS = 5;

/** What was learned of a recording. */
export interface Learned {
  /** What the recording says about each choice that it says something about. */
  readonly findings: ReadonlyMap<ChoiceName, Finding>;
  /** The choices with one value, with the values that differ from the default. */
  readonly behaviour: Difference;
  readonly replay: Replay;
}

/**
 * Learns the behaviour with which the mock would have answered as the service did. Each choice is learned alone, with what is known
 * of the others, until nothing changes any more.
 */
export async function learn(recording: Recording): Promise<Learned> {
  const { stackTraceLimit } = Error;
  // Most replies are refusals, whose stack traces nobody reads and which take half of the time.
  Error.stackTraceLimit = 0;
  try {
    return await learnAll(recording);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

async function learnAll(recording: Recording): Promise<Learned> {
  const replay = new Replay(recording);
  const findings = new Map<ChoiceName, Finding>();
  for (const [name, find] of Object.entries(ofSeveralResponses)) {
    const finding = find({ exchanges: replay.all, history: replay.history });
    if (finding !== undefined) findings.set(name as ChoiceName, finding);
  }
  replay.order = toValues(findings).order;
  const names = choiceNames.filter((name) => ofSeveralResponses[name] === undefined && name !== 'errorCodes');
  let base = completeBehaviour(toValues(findings));
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const before = JSON.stringify(base);
    for (const name of names) {
      replay.isFirstRound = round < 2;
      const { finding, likely } = await learnOne(name, base, replay);
      if (finding === undefined) findings.delete(name);
      else findings.set(name, finding);
      const value = finding?.values.length === 1 ? finding.values[0] : likely;
      if (value !== undefined && value !== base[name]) base = { ...base, [name]: value };
    }
    const codes = await findErrorCodes(replay, base);
    if (codes !== undefined) findings.set('errorCodes', codes);
    if (codes?.values.length === 1) base = { ...base, errorCodes: codes.values[0] as never };
    if (JSON.stringify(base) === before) break;
  }
  // What is unknown now may make others unknown.
  for (let before = -1; before !== countKnown(findings); ) {
    before = countKnown(findings);
    for (const name of names) await widen(name, findings, base, replay);
  }
  return { findings, behaviour: toDifference(toValues(findings)), replay };
}

/**
 * Adds the values of a choice that explain all responses too if another choice, which is unknown, has another value than was
 * assumed: where `page` may be a parameter for further pages, its 200 does not show that others are ignored.
 */
async function widen(
  name: ChoiceName,
  findings: Map<ChoiceName, Finding>,
  base: Behaviour,
  replay: Replay,
): Promise<void> {
  const finding = findings.get(name);
  if (finding?.values.length !== 1) return;
  for (const other of choiceNames) {
    if (other === name || ofSeveralResponses[other] !== undefined || other === 'errorCodes') continue;
    const ofOther = findings.get(other)?.values;
    if (ofOther?.length === 1) continue;
    const possible: readonly unknown[] = ofOther?.length ? ofOther : valuesOf(other);
    for (const value of possible) {
      const changed = { ...base, [other]: value };
      if (value === base[other] || !(await replay.isChanged(name, base, changed))) continue;
      const { finding: found } = await learnOne(name, changed, replay);
      const values = found?.values ?? valuesOf(name);
      const [only] = finding.values;
      if (values.every((one) => one === only)) continue;
      findings.set(name, {
        ...finding,
        values: [...new Set([...finding.values, ...(values as ChoiceValue[])])],
      });
      return;
    }
  }
}

function countKnown(findings: ReadonlyMap<ChoiceName, Finding>): number {
  return Object.keys(toValues(findings)).length;
}

function toValues(findings: ReadonlyMap<ChoiceName, Finding>): Difference {
  const known = [...findings].filter(
    ([name, { values }]) => values.length === 1 && hasValue(name, values[0]),
  );
  return Object.fromEntries(known.map(([name, { values }]) => [name, values[0]]));
}

/** The values of a choice with which the mock would have answered one request as the service did. */
interface Vote {
  readonly seen: Seen;
  readonly fitting: readonly ChoiceValue[];
  /** The same, if no animal that nobody has seen has the name that the request gives a new one. */
  readonly fittingNew: readonly ChoiceValue[];
}

/** What was learned of a choice, and the value that explains most responses, though perhaps not all. */
interface Opinion {
  readonly finding: Finding | undefined;
  readonly likely: ChoiceValue | undefined;
}

async function learnOne(name: ChoiceName, base: Behaviour, replay: Replay): Promise<Opinion> {
  const listed = valuesOf(name);
  const values = [...new Set([...listed, ...findCandidates(name, replay)])] as ChoiceValue[];
  const votes: Vote[] = [];
  for (const seen of replay.chosenFor(name)) {
    const vote = await voteOn(name, values, seen, base, replay);
    if (vote !== undefined) votes.push(vote);
  }
  if (votes.length === 0) return { finding: undefined, likely: undefined };
  const agreed = values.filter((value) => isPossible(value, votes));
  const count = (value: ChoiceValue) => votes.filter(({ fitting }) => fitting.includes(value)).length;
  const [likely] = values.toSorted((one, other) => count(other) - count(one));
  const telling = votes.filter(({ fittingNew }) => fittingNew.length < values.length);
  return { finding: { values: agreed, evidence: telling.slice(0, 2).map(({ seen }) => seen) }, likely };
}

/** Returns whether a value explains all responses. One name may be that of an animal that nobody has seen, but not two. */
function isPossible(value: ChoiceValue, votes: readonly Vote[]): boolean {
  const refused = votes.filter(({ fittingNew }) => !fittingNew.includes(value));
  return (
    votes.every(({ fitting }) => fitting.includes(value)) &&
    new Set(refused.map(({ seen }) => seen.sent.name)).size < 2
  );
}

/** Asks with which values the mock would have answered so. @returns undefined if the response says nothing about the choice */
async function voteOn(
  name: ChoiceName,
  values: readonly ChoiceValue[],
  seen: Seen,
  base: Behaviour,
  replay: Replay,
): Promise<Vote | undefined> {
  const predicted: (readonly Replayed[])[] = [];
  for (const value of values)
    predicted.push(
      base[name] === value
        ? await replay.askUsual(seen, base, name)
        : await replay.ask(seen, { ...base, [name]: value }, name),
    );
  const [first = []] = predicted;
  const isDifferent = (feature: string) =>
    first.some(({ features }, world) =>
      predicted.some((replies) => replies[world]?.features.get(feature) !== features.get(feature)),
    );
  const names = new Set(
    predicted.flatMap((replies) => replies.flatMap(({ features }) => [...features.keys()])),
  );
  const different = [...names].filter((feature) => isFeatureOf(name, feature) && isDifferent(feature));
  if (different.length > 0) replay.noteRelevant(name, seen);
  if (different.length === 0 || !isAbout(name, seen, first[0]?.reply)) return undefined;
  const real = replay.describe(seen);
  const agrees = ({ features }: Replayed, feature: string) =>
    (features.get(feature) ?? '') === (real.get(feature) ?? '') || replay.isUnknown(seen, feature);
  // What no value predicts has another reason.
  const isTelling = (feature: string) =>
    decisive.includes(feature) || predicted.some((replies) => replies.some((one) => agrees(one, feature)));
  const telling = ['status', ...different.filter(isTelling)];
  const fits = (one: Replayed | undefined) =>
    one !== undefined && telling.every((feature) => agrees(one, feature));
  const fitting = values.filter((_, index) => predicted[index]?.some(fits));
  const isOfNew = seen.method === 'POST';
  const fittingNew = isOfNew ? values.filter((_, index) => fits(predicted[index]?.[0])) : fitting;
  const isOfOther = fittingNew.length === 0 || (telling.length === 1 && !different.includes('status'));
  return isOfOther ? undefined : { seen, fitting, fittingNew };
}

const LIST = 'GET /pets (operation listPets)';
const statusChoices: readonly string[] = [
  'invalidStatus',
  'statusCase',
  'statusLists',
  'repeatedParameters',
  'listsWithoutStatus',
];

/** The choices that decide about each header. Others change it only with the status. */
const headerChoices: Readonly<Record<string, readonly ChoiceName[]>> = {
  'header allow': ['allow'],
  'header www-authenticate': ['challenge'],
  'header location': ['location', 'trailingSlash'],
  'header sunset': ['deprecationHeaders'],
  'header deprecation': ['deprecationHeaders'],
  'header link': ['deprecationHeaders'],
  'header etag': ['etag'],
  'header content-type': ['charset'],
};

/** Which animals a list shows depends on more than its choice: the age of animals is known only roughly. */
function isFeatureOf(name: ChoiceName, feature: string): boolean {
  const ofHeader = headerChoices[feature];
  if (ofHeader !== undefined) return ofHeader.includes(name);
  if (feature === 'ids') return name === 'pages';
  if (feature === 'without status') return name === 'listsWithoutStatus';
  if (feature === 'statuses') return statusChoices.includes(name);
  return feature !== 'length' || choiceOf(name).silentAt === LIST;
}
