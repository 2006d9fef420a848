import { extendEnvironment } from '../../common/cli/read-options.ts';
import { StartError } from '../../common/cli/usage-error.ts';
import { toOneLine } from '../../common/text/harmless-text.ts';
import { inWords } from '../../common/text/in-words.ts';
import { quoteForShell } from '../../common/text/print-curl.ts';
import { type Keys, redact } from '../../common/text/redact.ts';
import { findAuthority } from '../../common/tls/read-server-tls.ts';
import { listSingles, printDifference } from '../choices/behaviours.ts';
import { type ChoiceName, type Difference, nameInWords, valuesOf } from '../choices/choices.ts';
import { EffectCounts } from '../choices/count-effects.ts';
import { launchMock } from '../launch-mock.ts';
import type { MockOptions } from '../mock-options.ts';
import { mockCommand, resolveMockOptions } from '../options.ts';
import { type FailedTests, findFailedTests } from './find-failed-tests.ts';
import { type CommandRun, type Outcome, runCommand, SILENCE } from './run-command.ts';

const NO_REQUEST =
  'Use the base URL in the variable ANIMAL_STORE_URL. If your tests start a mock, use forEachBehaviour.';

export interface TrialOptions {
  /** Options of the user, for the line that tries one. */
  readonly given: readonly string[];
  readonly words: readonly string[];
  /** Keys to redact in what is printed and reported. */
  readonly keys: Keys;
  /** Ends the runs; what was found so far is the result. */
  readonly signal: AbortSignal;
  /** Receives a line that the next one may replace. */
  readonly onProgress: (text: string) => void;
  /** Receives a line that stays. */
  readonly onMessage: (text: string) => void;
}

/** Values of a choice. */
export interface ChoiceValues {
  readonly choice: ChoiceName;
  readonly values: readonly (string | number)[];
}

/** A value that breaks the command. */
export interface ValueCause extends FailedTests {
  readonly value: string | number;
  readonly outcome: Exclude<Outcome, 'passed'>;
}

/** A choice of which values break the command. */
export interface ChoiceCause {
  readonly choice: ChoiceName;
  readonly values: readonly ValueCause[];
}

/** The result of `--try-behaviours`, also as JSON. */
export interface Trial {
  readonly version: 1;
  readonly given: readonly string[];
  readonly command: readonly string[];
  readonly runs: number;
  /** Why the runs ended: all values were tried, or by a signal. */
  readonly endedBy: 'end' | 'signal';
  readonly causes: readonly ChoiceCause[];
  /** Values that change a response, and with which the command passes. */
  readonly passed: readonly ChoiceValues[];
  /** Values that would have changed no response, and were not tried. */
  readonly neverActed: readonly ChoiceValues[];
  /** Values with which the command has failed, but not again, or after which it failed with the default behaviour. */
  readonly unstable: readonly ChoiceValues[];
  /** Values that were not tried before the signal. */
  readonly untested: readonly ChoiceValues[];
}

const MILLISECONDS_OF_MINUTE = 60_000;

/** Maximum time of a run with the default behaviour, in ms. */
export const DEFAULT_RUN_TIMEOUT = 30 * MILLISECONDS_OF_MINUTE;

/** Time that every later run gets to end, in ms. */
const LEAST_TIMEOUT = MILLISECONDS_OF_MINUTE;

/** Time that a later run gets to end, as a multiple of the time with the default behaviour. */
const TIMES_DEFAULT_RUN = 5;

/** Number of characters of the output that are printed if the command fails with the default behaviour. */
const SHOWN_OUTPUT = 4_000;

/** Number of tests, and of lines of output, that are printed for a choice. */
const MOST_SHOWN = 3;

const MILLISECONDS_OF_SECOND = 1_000;

const IS_WATCH = `The command has printed nothing for ${SILENCE / MILLISECONDS_OF_SECOND} s. Is this a watch command? Give a command that ends by itself.`;

/** A value that was tried. */
interface Tried extends FailedTests {
  readonly choice: ChoiceName;
  readonly value: string | number;
  readonly outcome: Outcome;
  /** False if the command fails without the value too, or not again with it. */
  readonly isStable: boolean;
}

/**
 * Runs a command once with the default behaviour, where the mock finds out which values would have changed a response, and then once
 * with each of these values, all at one base URL. A run that fails is repeated, without the value and with it.
 * @returns undefined if the signal came before the command has passed with the default behaviour.
 * @throws StartError if the command fails with the default behaviour, or sends the mock no request.
 */
export async function tryBehaviours(options: MockOptions, trial: TrialOptions): Promise<Trial | undefined> {
  const { words, keys, signal, onProgress, onMessage } = trial;
  let given: MockOptions = { ...options, checkedProxy: false, log: 'silent' };
  let runs = 0;
  let timeout = DEFAULT_RUN_TIMEOUT;
  const run = async (behaviour: Difference, effects?: EffectCounts): Promise<CommandRun> => {
    const { mock, close } = await launchMock(resolveMockOptions({ ...given, behaviour }), {
      ...(effects && { effects }),
    });
    given = { ...given, port: Number(new URL(mock.url).port) };
    runs += 1;
    onProgress(`… run ${runs}: ${printDifference(behaviour)[0] ?? 'the default behaviour'}`);
    const [apiKey] = options.apiKeys ?? ['test-key'];
    const trusted = options.tlsCert && { NODE_EXTRA_CA_CERTS: findAuthority(options.tlsCert) };
    const variables = { ANIMAL_STORE_URL: mock.url, ANIMAL_STORE_API_KEY: apiKey, ...trusted };
    const onSilence = runs === 1 ? () => onMessage(IS_WATCH) : undefined;
    try {
      return await runCommand(words, extendEnvironment(variables), timeout, signal, onSilence);
    } finally {
      await close();
    }
  };
  const effects = new EffectCounts();
  const usual = await run({}, effects);
  if (signal.aborted) return undefined;
  if (usual.outcome !== 'passed') {
    process.stderr.write(`\n${redact(usual.output, keys).trimEnd().slice(-SHOWN_OUTPUT)}\n`);
    throw new StartError(`${describeDefaultRun(usual)}. See the output above.`);
  }
  if (effects.requests === 0) throw new StartError(`No request reached the mock. ${NO_REQUEST}`);
  const acting = effects.list();
  onMessage(
    `The first run took ${describeTime(usual.ms)}. ${describeActing(acting.length)}, ` +
      `so all runs take about ${describeTime(usual.ms * (acting.length + 1))}.`,
  );
  timeout = Math.max(LEAST_TIMEOUT, TIMES_DEFAULT_RUN * usual.ms);
  const tried: Tried[] = [];
  for (const { choice, value } of acting) {
    const behaviour: Difference = { [choice]: value };
    const first = await run(behaviour);
    const isBroken = first.outcome !== 'passed' && !signal.aborted;
    const isStable =
      !isBroken || ((await run({})).outcome === 'passed' && (await run(behaviour)).outcome !== 'passed');
    // The signal has ended the command, so that its exit code means nothing.
    if (signal.aborted) break;
    const failed = findFailedTests(isBroken ? redact(first.output, keys) : '');
    tried.push({ choice, value, outcome: first.outcome, isStable, ...failed });
  }
  const [stable, unstable] = partition(tried, ({ isStable }) => isStable);
  const [passed, broken] = partition(stable, ({ outcome }) => outcome === 'passed');
  const isActing = ([name, value]: readonly [ChoiceName, unknown]) =>
    acting.some((one) => one.choice === name && one.value === value);
  const others = listSingles()
    .map((single) => Object.entries(single)[0] as [ChoiceName, string | number])
    .filter((single) => !isActing(single));
  return {
    version: 1,
    given: redact(trial.given, keys),
    command: redact(words, keys),
    runs,
    endedBy: signal.aborted ? 'signal' : 'end',
    causes: groupCauses(broken),
    passed: groupValues(passed),
    neverActed: groupValues(others.map(([choice, value]) => ({ choice, value }))),
    unstable: groupValues(unstable),
    untested: groupValues(acting.slice(tried.length)),
  };
}

function describeActing(count: number): string {
  return count === 1
    ? '1 value of a choice would have changed a response'
    : `${count} values of choices would have changed a response`;
}

function describeTime(ms: number): string {
  if (ms < MILLISECONDS_OF_MINUTE) return `${(ms / MILLISECONDS_OF_SECOND).toFixed(1)} s`;
  return `${(ms / MILLISECONDS_OF_MINUTE).toFixed(1)} min`;
}

/** Describes why the command did not pass with the default behaviour, without a full stop. */
function describeDefaultRun({ outcome }: CommandRun): string {
  if (outcome !== 'timeout') return 'The tests fail with the default behaviour';
  const minutes = DEFAULT_RUN_TIMEOUT / MILLISECONDS_OF_MINUTE;
  return `The command did not end within ${minutes} minutes with the default behaviour, so it was stopped. Give a command that ends by itself, or that runs a part of the tests`;
}

function partition<Value>(all: readonly Value[], isFirst: (one: Value) => boolean): [Value[], Value[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}

function groupValues(
  all: readonly { readonly choice: ChoiceName; readonly value: string | number }[],
): ChoiceValues[] {
  const groups = Map.groupBy(all, ({ choice }) => choice);
  return [...groups].map(([choice, own]) => ({ choice, values: own.map(({ value }) => value) }));
}

function groupCauses(broken: readonly Tried[]): ChoiceCause[] {
  const groups = Map.groupBy(broken, ({ choice }) => choice);
  return [...groups].map(([choice, own]) => ({
    choice,
    values: own.map(({ value, outcome, failedTests, excerpt }) => ({
      value,
      outcome: outcome === 'timeout' ? outcome : 'failed',
      failedTests,
      excerpt,
    })),
  }));
}

/** Prints what was found, for people. */
export function printTrial(trial: Trial): string {
  const { given, command, runs, causes, passed, neverActed, unstable, untested } = trial;
  const print = (words: readonly string[]) =>
    words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : quoteForShell(word))).join(' ');
  const name = print(command);
  const [first] = causes.flatMap(({ choice, values }) => values.map(({ value }) => ({ [choice]: value })));
  const options = given.length > 0 ? ` ${print(given)}` : '';
  const lines = [
    first === undefined
      ? describePass(name, trial)
      : `${name} passes with the default behaviour, and breaks with other values:`,
    ...causes.flatMap(printCause),
    neverActed.length > 0 && `These values changed no response of your tests: ${printValues(neverActed)}.`,
    unstable.length > 0 &&
      `The command failed once with these values and passed another time, so its tests are not stable: ${printValues(unstable)}.`,
    untested.length > 0 && `Not tried (interrupted): ${printValues(untested)}.`,
    `${runs} runs. ${describeActed(countValues(passed) + countValues(causes))}.`,
    first && `Try one: ${mockCommand.name}${options} --behaviour '${JSON.stringify(first)}' -- ${name}`,
  ];
  return `${lines.filter(Boolean).join('\n')}\n`;
}

function countValues(groups: readonly { readonly values: readonly unknown[] }[]): number {
  return groups.reduce((sum, { values }) => sum + values.length, 0);
}

function describeActed(count: number): string {
  return count === 1 ? '1 value changed a response' : `${count} values changed a response`;
}

function describePass(name: string, { passed, unstable, untested }: Trial): string {
  const isPart = unstable.length > 0 || untested.length > 0;
  if (isPart) return `${name} passes with the default behaviour, and no value is known to break it.`;
  if (passed.length === 0)
    return `${name} passes, but no value changed a response to it, so nothing is known.`;
  return `${name} passes with each value that changes a response to it.`;
}

function printCause({ choice, values }: ChoiceCause): string[] {
  const print = ({ value, outcome }: ValueCause) =>
    outcome === 'timeout' ? `${value} (does not end)` : String(value);
  const line = `  ${nameInWords(choice)}: fails with ${inWords(values.map(print), 'and')}`;
  return [line, ...printFailures(values)];
}

/** Prints the names of the tests that failed, or a part of the output. */
function printFailures(causes: readonly FailedTests[]): string[] {
  const tests = [...new Set(causes.flatMap(({ failedTests }) => failedTests))];
  const [{ excerpt } = { excerpt: [] }] = causes;
  if (tests.length === 0) return excerpt.slice(0, MOST_SHOWN).map((line) => `      | ${toOneLine(line)}`);
  const more = tests.length > MOST_SHOWN ? [`      and ${tests.length - MOST_SHOWN} tests more`] : [];
  return [...tests.slice(0, MOST_SHOWN).map((test) => `      ✖ ${toOneLine(test)}`), ...more];
}

/** Prints values by choice; a choice with all of its values is only named. */
function printValues(groups: readonly ChoiceValues[]): string {
  const print = ({ choice, values }: ChoiceValues) => {
    const isAll = values.length === valuesOf(choice).length - 1;
    return isAll ? nameInWords(choice) : `${nameInWords(choice)} (${values.join(', ')})`;
  };
  return groups.map(print).join(', ');
}
