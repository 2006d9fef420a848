import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import * as v from 'valibot';
import { completeBehaviour, readBehaviour } from '../../common/behaviour/behaviours.ts';
import type { ChoiceName } from '../../common/behaviour/choices.ts';
import { choiceNames, describeValueOf, isSameLearned, nameInWords } from '../../common/behaviour/choices.ts';
import { commandName } from '../../common/cli/command-name.ts';
import { describeFileError } from '../../common/cli/option-files.ts';
import { UsageError } from '../../common/cli/usage-error.ts';
import { type ExactJson, parseExactJson } from '../../common/json/exact-json.ts';
import type { Learned, Shown } from '../../common/learn/learn.ts';
import { LEARNED_VERSION } from '../../common/learn/learned-version.ts';
import { mustBe } from '../../common/schemas.ts';
import { compareFingerprints, type ProbeDifference } from './compare-fingerprints.ts';

/**
 * Compares two files that `--learn` wrote, and prints what differs: choices with the evidence of both, choices that
 * no value describes on one side, and what the probes got where no choice describes it.
 * @returns the text, and whether something differs. @throws UsageError for a file that cannot be used
 */
export function compare(first: string, second: string) {
  const isSame = nameOf(first) === nameOf(second);
  const sides = [first, second].map((file) => readSide(file, isSame ? file : nameOf(file)));
  const isObserved = (name: ChoiceName) => sides.every(({ learned }) => learned.observed.includes(name));
  const both = choiceNames.filter(isObserved);
  if (both.length === 0) throw new UsageError(`${first} and ${second} have no observed choice in common.`);
  const chosenBy = ({ learned }: (typeof sides)[number], name: ChoiceName) =>
    completeBehaviour(learned.behaviour)[name];
  const valuesOf = (name: ChoiceName) => sides.map((side) => chosenBy(side, name));
  const different = both.filter((name) => {
    const [one, other] = valuesOf(name);
    return !isSameLearned(name, one, other);
  });
  const fingerprints = sides.map(({ learned }) => learned.fingerprints);
  const withoutChoice = compareFingerprints(
    fingerprints[0] ?? [],
    fingerprints[1] ?? [],
    different.map((name) => ({ name, values: valuesOf(name) })),
  );
  const lines = different.flatMap((name) => [
    `${nameInWords(name)}: ${sides.map((side) => `${side.name} ${describeValueOf(name, chosenBy(side, name))}`).join(', ')}`,
    ...sides.map((side) => `  ${side.name}: ${printEvidence(side.learned.evidence[name])}`),
  ]);
  const oneSided = sides.flatMap((side, index) => {
    const other = sides[1 - index]?.learned.observed ?? [];
    const missing = other.filter((name) => !side.learned.observed.includes(name));
    return missing.map((name) => ({
      line: `  ${nameInWords(name)}, in ${side.name}: ${side.learned.unknown[name] ?? 'the file has no reason'}`,
      isUndescribed: side.learned.undescribed.includes(name),
    }));
  });
  const listOneSided = (isUndescribed: boolean) =>
    oneSided.filter((one) => one.isUndescribed === isUndescribed).map(({ line }) => line);
  const undescribed = listOneSided(true);
  const names = sides.map(({ name }) => name);
  const text = [
    ...lines,
    ...printGroup('Known on one side, and no value describes the other:', undescribed),
    ...printGroup(
      'Different, and no choice that both sides know describes it:',
      withoutChoice.flatMap((one) => printProbes(one, names)),
    ),
    ...printGroup('Not observed on one side:', listOneSided(false)),
    ...printGroup(
      'No value describes either side, so they may differ:',
      choiceNames
        .filter((name) => sides.every(({ learned }) => learned.undescribed.includes(name)))
        .map((name) => `  ${nameInWords(name)}`),
    ),
    [
      `${different.length} of ${both.length} choices differ.`,
      ...(undescribed.length > 0 ? [`Of ${undescribed.length} more, no value describes one side.`] : []),
      ...(withoutChoice.length > 0 ? [`Differences without a choice: ${withoutChoice.length}.`] : []),
    ].join(' '),
  ];
  const hasDrift = different.length + undescribed.length + withoutChoice.length > 0;
  return { text: `${text.join('\n')}\n`, hasDrift };
}

function printGroup(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines];
}

/** How many probes of a difference are named. */
const MOST_PROBES = 3;

function printProbes(difference: ProbeDifference, names: readonly string[]): string[] {
  const { kind, name, first, second, probes } = difference;
  const which = name === undefined ? kind : `${kind} ${name}`;
  const more = probes.length - MOST_PROBES;
  const shown = probes.slice(0, MOST_PROBES).join('; ');
  return [
    `  ${which}: ${names[0]} ${first}, ${names[1]} ${second}`,
    `    ${shown}${more > 0 ? `; and ${more} more` : ''}`,
  ];
}

function printEvidence(evidence: readonly Shown[] = []): string {
  return evidence.map(({ request, status }) => `${request} → ${status}`).join(', ') || 'no single response';
}

/** The name of a file is the name of its deployment. */
const nameOf = (file: string) => basename(file).replace(/\.json$/, '');

const aText = v.string(mustBe('a text'));
const anObject = mustBe('an object');
const exchange = v.looseObject(
  { request: aText, status: v.bigint(mustBe('the status of a response')) },
  mustBe('an exchange'),
);

const texts = v.array(aText, mustBe('an array'));

const fingerprint = v.looseObject(
  {
    status: v.pipe(v.bigint(mustBe('the status of a response')), v.transform(Number)),
    codes: texts,
    headers: texts,
    members: v.optional(texts),
    probes: texts,
  },
  mustBe('a fingerprint'),
);

const names = v.array(v.picklist(choiceNames, mustBe('the name of a choice')), mustBe('an array'));

/** What `compare` reads of a file. `readBehaviour` checks the behaviour. */
const learnedFile = v.looseObject(
  {
    version: v.literal(BigInt(LEARNED_VERSION), mustBe(`${LEARNED_VERSION}`)),
    observed: names,
    unknown: v.record(v.string(), aText, anObject),
    undescribed: names,
    fingerprints: v.array(fingerprint, mustBe('an array of fingerprints')),
    evidence: v.record(v.string(), v.array(exchange, mustBe('an array of exchanges')), anObject),
  },
  anObject,
);

/** Reads a file that `--learn` wrote. @throws UsageError for any other file */
function readSide(file: string, name: string) {
  const bytes = refuseFailure(`${file} could not be read`, () => readFileSync(file));
  const learned = refuseFailure(`${file} is no learned behaviour`, () => toLearned(bytes));
  return { name, learned };
}

/** Returns what a function returns. @throws UsageError if it fails */
function refuseFailure<T>(failure: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    const why = describeFileError(error).replace(/\.$/, '');
    throw new UsageError(`${failure}: ${why}. Write one with: ${commandName('verify')} <url> --learn <file>`);
  }
}

/** @throws Error naming the member that is wrong */
function toLearned(bytes: Uint8Array): Learned {
  const { success, output, issues } = v.safeParse(learnedFile, parseJson(bytes));
  if (success) return { ...(output as unknown as Learned), behaviour: readBehaviour(output.behaviour) };
  const [issue] = issues;
  const problem = issue.received === 'undefined' ? 'is missing' : issue.message;
  throw new Error(`${v.getDotPath(issue) ?? 'it'} ${problem}`);
}

function parseJson(bytes: Uint8Array): ExactJson | undefined {
  try {
    return parseExactJson(bytes);
  } catch (error) {
    throw new Error(`it is not JSON (${(error as Error).message.replace(/\.$/, '')})`);
  }
}
