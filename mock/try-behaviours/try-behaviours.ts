import { printDifference } from '../../common/behaviour/behaviours.ts';
import {
  type Choice,
  type ChoiceName,
  choiceNames,
  choices,
  type Difference,
  nameInWords,
} from '../../common/behaviour/choices.ts';
import { extendEnvironment } from '../../common/cli/read-options.ts';
import { StartError } from '../../common/cli/usage-error.ts';
import { inWords } from '../../common/schemas.ts';
import { toOneLine } from '../../common/text/harmless-text.ts';
import { quoteForShell } from '../../common/text/print-curl.ts';
import { findAuthority } from '../../common/tls/read-server-tls.ts';
import { launchMock } from '../launch-mock.ts';
import type { MockOptions } from '../mock-options.ts';
import { mockCommand, resolveMockOptions } from '../options.ts';
import {
  type Cause,
  COLUMN_RUNS,
  countMostRuns,
  DEFAULT_RUNS,
  EndOfRuns,
  FURTHER_SEEDS,
  findCauses,
  type Observation,
} from './find-causes.ts';
import { findFailedTests } from './find-failed-tests.ts';
import { type CommandRun, runCommand, SILENCE } from './run-command.ts';

const NO_REQUEST =
  'Use the base URL in the variable ANIMAL_STORE_URL. If your tests start a mock, use forEachBehaviour.';

export interface TrialOptions {
  /** Options of the user, for the line that tries one. */
  readonly given: readonly string[];
  readonly words: readonly string[];
  /** Maximum number of runs of the command. */
  readonly maxRuns: number;
  /** Redacts keys in what is printed and reported. */
  readonly hide: (text: string) => string;
  /** Ends the search; what was found so far is the result. */
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
export interface ValueCause extends Omit<Cause, 'behaviour' | 'seedShift'> {
  readonly value: string | number;
  /** Seed of the mock with which a random value breaks the command, if it does not with the seed of the options. */
  readonly seed?: number;
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
  /** Why the search ended: at its end, at the maximum number of runs, or by a signal. */
  readonly endedBy: 'end' | 'max-runs' | 'signal';
  /** Number of values that were tried alone. */
  readonly tried: number;
  readonly causes: readonly ChoiceCause[];
  /** Values that break the command only together. */
  readonly combinations: readonly Omit<Cause, 'seedShift'>[];
  /** Values that have changed no response. */
  readonly neverActed: readonly ChoiceValues[];
  /** Values of which nothing is known, because the runs ended before. */
  readonly untested: readonly ChoiceValues[];
  /** Number of runs that failed without a value that acts, or that passed when they were repeated. */
  readonly flakyRuns: number;
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

/** Number of choices that the progress names. */
const MOST_NAMED = 2;

/** Number of tests, and of lines of output, that are printed for a choice. */
const MOST_SHOWN = 3;

const MILLISECONDS_OF_SECOND = 1_000;

const IS_WATCH = `The command has printed nothing for ${SILENCE / MILLISECONDS_OF_SECOND} s. Is this a watch command? Give a command that ends by itself.`;

/** A run of the command, and the values that acted. */
interface ActedRun extends CommandRun {
  readonly acted: Difference;
}

/**
 * Runs a command against a new mock for each behaviour, all at one base URL, and finds the choices that break it.
 * @returns undefined if the signal came before the command has passed with the default behaviour.
 * @throws StartError if the command fails with the default behaviour, or sends the mock no request.
 */
export async function tryBehaviours(options: MockOptions, trial: TrialOptions): Promise<Trial | undefined> {
  const { words, maxRuns, hide, signal, onProgress, onMessage } = trial;
  let given: MockOptions = { ...options, checkedProxy: false, log: 'silent' };
  let runs = 0;
  let requests = 0;
  let timeout = DEFAULT_RUN_TIMEOUT;
  const { seed } = resolveMockOptions(given);
  const run = async (behaviour: Difference, seedShift = 0): Promise<ActedRun> => {
    let acted: Difference = {};
    const config = resolveMockOptions({ ...given, behaviour, seed: shiftSeed(seed, seedShift) });
    const { mock, close } = await launchMock(config, {
      observer: {
        onRequest() {
          requests += 1;
        },
        onActed(name, value) {
          // A test of the command may set another behaviour.
          if (behaviour[name] === value) acted = { ...acted, [name]: value };
        },
      },
    });
    given = { ...given, port: Number(new URL(mock.url).port) };
    runs += 1;
    const other = seedShift === 0 ? '' : `, seed ${config.seed}`;
    onProgress(`… run ${runs} of at most ${maxRuns}: ${describe(behaviour)}${other}`);
    const [apiKey] = options.apiKeys ?? ['test-key'];
    const trusted = options.tlsCert && { NODE_EXTRA_CA_CERTS: findAuthority(options.tlsCert) };
    const variables = { ANIMAL_STORE_URL: mock.url, ANIMAL_STORE_API_KEY: apiKey, ...trusted };
    const onSilence = runs === 1 ? () => onMessage(IS_WATCH) : undefined;
    try {
      const ended = await runCommand(words, extendEnvironment(variables), timeout, signal, onSilence);
      return { ...ended, acted };
    } finally {
      await close();
    }
  };
  const first = await run({});
  if (signal.aborted) return undefined;
  if (first.outcome === 'passed') onMessage(describePrice(first.ms, maxRuns));
  const second = first.outcome === 'passed' ? await run({}) : first;
  if (signal.aborted) return undefined;
  if (second.outcome !== 'passed') {
    process.stderr.write(`\n${hide(second.output).trimEnd().slice(-SHOWN_OUTPUT)}\n`);
    throw new StartError(`${describeDefaultRun(second)}. See the output above.`);
  }
  if (requests === 0) throw new StartError(`No request reached the mock. ${NO_REQUEST}`);
  const usualTime = Math.max(first.ms, second.ms);
  timeout = Math.max(LEAST_TIMEOUT, TIMES_DEFAULT_RUN * usualTime);
  const observe = async (behaviour: Difference, seedShift: number): Promise<Observation> => {
    if (signal.aborted) throw new EndOfRuns();
    const { outcome, acted, output } = await run(behaviour, seedShift);
    // The signal has ended the command, so that its exit code means nothing.
    if (signal.aborted) throw new EndOfRuns();
    return { outcome, acted, ...findFailedTests(outcome === 'passed' ? '' : hide(output)) };
  };
  const onLearned = (values: number, runsOfValues: number) => {
    const left = maxRuns - runs;
    if (values > 0 && left > 0) onMessage(describeRest(values, runsOfValues, left, usualTime));
  };
  const { causes, neverActed, untested, isComplete, ...counts } = await findCauses(
    observe,
    maxRuns - runs,
    onLearned,
  );
  const [single, several] = partition(causes, ({ behaviour }) => Object.keys(behaviour).length === 1);
  return {
    version: 1,
    given: trial.given.map(hide),
    command: words.map(hide),
    runs,
    endedBy: signal.aborted ? 'signal' : isComplete ? 'end' : 'max-runs',
    ...counts,
    causes: groupCauses(single, seed),
    combinations: several.map(({ seedShift: _, ...cause }) => cause),
    neverActed: groupValues(neverActed),
    untested: groupValues(untested),
  };
}

/** Describes how many runs a trial takes, after the first one. */
function describePrice(ms: number, maxRuns: number): string {
  const least = DEFAULT_RUNS + COLUMN_RUNS;
  const usual = least + COLUMN_RUNS;
  return (
    `The first run took ${describeTime(ms)}. ${least} to about ${usual} runs show which values change a response. ` +
    `Each of these values takes 1 more run, a random one ${1 + FURTHER_SEEDS}, and 2 to 4 if it breaks the command. ` +
    `At most ${maxRuns} runs (--max-runs), about ${describeTime(ms * maxRuns)}.`
  );
}

/** Describes how many runs are left when it is known which values act. */
function describeRest(values: number, runsOfValues: number, left: number, ms: number): string {
  const least = Math.min(runsOfValues, left);
  const most = Math.min(Math.max(runsOfValues, countMostRuns(values)), left);
  const what =
    values === 1 ? '1 value changes a response and is' : `${values} values change a response and are`;
  return (
    `${what} tried alone: about ${count(least, 'more run')} if nothing breaks, ${most} if everything does, ` +
    `which take ${describeTime(least * ms)} to ${describeTime(most * ms)}.`
  );
}

function describeTime(ms: number): string {
  if (ms < MILLISECONDS_OF_MINUTE) return `${(ms / MILLISECONDS_OF_SECOND).toFixed(1)} s`;
  return `${(ms / MILLISECONDS_OF_MINUTE).toFixed(1)} min`;
}

/** Describes why the command did not pass with the default behaviour, without a full stop. */
function describeDefaultRun({ outcome }: CommandRun): string {
  if (outcome !== 'timeout') return 'The tests fail, or are not stable, with the default behaviour';
  const minutes = DEFAULT_RUN_TIMEOUT / MILLISECONDS_OF_MINUTE;
  return `The command did not end within ${minutes} minutes with the default behaviour, so it was stopped. Give a command that ends by itself, or that runs a part of the tests`;
}

function partition<Value>(all: readonly Value[], isFirst: (one: Value) => boolean): [Value[], Value[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}

/** Returns the name and the value of a difference with one value. */
function readSingle(single: Difference): { choice: ChoiceName; value: string | number } {
  const [[choice, value] = []] = Object.entries(single);
  return { choice: choice as ChoiceName, value: value as string | number };
}

function groupValues(singles: readonly Difference[]): ChoiceValues[] {
  const groups = Map.groupBy(singles.map(readSingle), ({ choice }) => choice);
  return [...groups].map(([choice, all]) => ({ choice, values: all.map(({ value }) => value) }));
}

/** Adds to a seed, which stays an unsigned 32-bit integer. */
function shiftSeed(seed: number, shift: number): number {
  return (seed + shift) >>> 0;
}

/** Groups causes by choice, choices and values in the order of the table. */
function groupCauses(causes: readonly Cause[], seed: number): ChoiceCause[] {
  const values = causes.map(({ behaviour, seedShift, ...cause }) => {
    const other = seedShift === 0 ? {} : { seed: shiftSeed(seed, seedShift) };
    return { ...readSingle(behaviour), ...other, ...cause };
  });
  return choiceNames.flatMap((choice) => {
    const own = values.filter((cause) => cause.choice === choice).map(({ choice: _, ...cause }) => cause);
    const { values: all }: Choice = choices[choice];
    const sorted = own.toSorted((one, other) => all.indexOf(one.value) - all.indexOf(other.value));
    return sorted.length > 0 ? [{ choice, values: sorted }] : [];
  });
}

function describe(behaviour: Difference): string {
  const lines = printDifference(behaviour);
  if (lines.length > MOST_NAMED) return `${lines.length} choices at once`;
  return lines.join(', ') || 'the default behaviour';
}

/** Why values were not tried. */
const reasons: Readonly<Record<Trial['endedBy'], string>> = {
  end: 'the tests are not stable',
  'max-runs': '--max-runs',
  signal: 'interrupted',
};

/** Prints what was found, for people. */
export function printTrial(trial: Trial): string {
  const { given, command, runs, tried, causes, combinations, neverActed, untested, flakyRuns } = trial;
  const print = (words: readonly string[]) =>
    words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : quoteForShell(word))).join(' ');
  const name = print(command);
  const { behaviour: first, seed } = chooseExample(trial) ?? {};
  // Of two seeds the mock takes the last one.
  const options = seed === undefined ? given : [...given, '--seed', String(seed)];
  const call =
    first &&
    `${mockCommand.name}${options.length > 0 ? ` ${print(options)}` : ''} --behaviour '${JSON.stringify(first)}' -- ${name}`;
  const lines = [
    first === undefined ? describePass(name, trial) : describeBreak(name, trial),
    ...causes.flatMap(printCause),
    ...combinations.flatMap(printCombination),
    neverActed.length > 0 &&
      `These values changed no response, so they are not tried: ${printValues(neverActed)}.`,
    untested.length > 0 && `Not tried (${reasons[trial.endedBy]}): ${printValues(untested)}.`,
    flakyRuns > 0 &&
      `${count(flakyRuns, 'run')} failed for another reason. Some of the tests are not stable.`,
    `${count(runs, 'run')}, ${count(tried, 'value')} tried.`,
    call && `Try one: ${call}`,
  ];
  return `${lines.filter(Boolean).join('\n')}\n`;
}

function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`;
}

function describePass(name: string, { tried, untested }: Trial): string {
  if (tried === 0 && untested.length === 0)
    return `${name} passes, but no value changed a response to it, so nothing is known.`;
  if (tried === 0) return `${name} passes with the default behaviour. No value was tried alone.`;
  const which =
    untested.length === 0 ? 'each value that changes a response to it' : 'the values that were tried';
  return `${name} passes with ${which}.`;
}

/** Returns whether a behaviour breaks the command. */
export function hasFailed(trial: Trial): boolean {
  return listBehaviours(trial).length > 0;
}

function describeBreak(name: string, { causes, combinations }: Trial): string {
  const all = [...causes.flatMap(({ values }) => values), ...combinations];
  const isConfirmed = all.some((cause) => cause.isConfirmed);
  const what = isConfirmed ? 'and breaks with other values' : 'and failed once with other values';
  return `${name} passes with the default behaviour, ${what}:`;
}

/** Lists the behaviours that break the command. */
function listBehaviours({ causes, combinations }: Trial): Difference[] {
  const singles = causes.flatMap(({ choice, values }) => values.map(({ value }) => ({ [choice]: value })));
  return [...singles, ...combinations.map(({ behaviour }) => behaviour)];
}

/** Chooses what the line that tries one sets: a confirmed behaviour, if there is any. */
function chooseExample({ causes, combinations }: Trial) {
  const singles = causes.flatMap(({ choice, values }) =>
    values.map(({ value, seed, isConfirmed }) => ({ behaviour: { [choice]: value }, seed, isConfirmed })),
  );
  const all = [...singles, ...combinations.map((cause) => ({ ...cause, seed: undefined }))];
  return all.find(({ isConfirmed }) => isConfirmed) ?? all[0];
}

const NOT_CONFIRMED = 'not confirmed: a repeated run passed, or was not possible';

function printCause({ choice, values }: ChoiceCause): string[] {
  const [confirmed, others] = partition(values, ({ isConfirmed }) => isConfirmed);
  const print = (all: ChoiceCause['values']) => inWords(all.map(printValue), 'and');
  const parts = [
    confirmed.length > 0 && `fails with ${print(confirmed)}`,
    others.length > 0 && `failed once with ${print(others)} (${NOT_CONFIRMED})`,
  ];
  return [`  ${nameInWords(choice)}: ${parts.filter(Boolean).join('; ')}`, ...printFailures(values)];
}

function printValue({ value, seed, outcome }: ValueCause): string {
  const notes = [seed !== undefined && `with --seed ${seed}`, outcome === 'timeout' && 'does not end'];
  const shown = notes.filter(Boolean).join(', ');
  return shown === '' ? String(value) : `${value} (${shown})`;
}

function printCombination(cause: Trial['combinations'][number]): string[] {
  const { behaviour, outcome, isConfirmed } = cause;
  const notes = [outcome === 'timeout' && 'does not end', !isConfirmed && NOT_CONFIRMED].filter(Boolean);
  const end = notes.length > 0 ? ` (${notes.join(', ')})` : '';
  const start = isConfirmed ? 'fails only with all of' : 'failed once with all of';
  return [`  ${start} ${inWords(printDifference(behaviour), 'and')}${end}`, ...printFailures([cause])];
}

/** Prints the names of the tests that failed, or a part of the output. */
function printFailures(causes: readonly Pick<Cause, 'failedTests' | 'excerpt'>[]): string[] {
  const tests = [...new Set(causes.flatMap(({ failedTests }) => failedTests))];
  const [{ excerpt } = { excerpt: [] }] = causes;
  if (tests.length === 0) return excerpt.slice(0, MOST_SHOWN).map((line) => `      | ${toOneLine(line)}`);
  const more = tests.length > MOST_SHOWN ? [`      and ${tests.length - MOST_SHOWN} tests more`] : [];
  return [...tests.slice(0, MOST_SHOWN).map((test) => `      ✖ ${toOneLine(test)}`), ...more];
}

/** Prints values by choice; a choice with all of its values is only named. */
function printValues(groups: readonly ChoiceValues[]): string {
  const print = ({ choice, values }: ChoiceValues) => {
    const isAll = values.length === (choices[choice] as Choice).values.length - 1;
    return isAll ? nameInWords(choice) : `${nameInWords(choice)} (${values.join(', ')})`;
  };
  return groups.map(print).join(', ');
}
