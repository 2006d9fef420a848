import { extendEnvironment } from '../../common/cli/environment.ts';
import { StartError } from '../../common/cli/usage-error.ts';
import { type Keys, redact } from '../../common/text/redact.ts';
import { printDifference, triedValues } from '../choices/behaviours.ts';
import type { ChoiceName, ChoiceValue, Difference } from '../choices/choices.ts';
import { EffectCounts } from '../choices/count-effects.ts';
import { findAuthority } from '../files/read-server-tls.ts';
import { launchMock } from '../launch-mock.ts';
import type { MockOptions } from '../mock-options.ts';
import { resolveMockOptions } from '../options.ts';
import { type FailedTests, findFailedTests } from './find-failed-tests.ts';
import { type ChoiceValues, findNeverActing, groupValues } from './print-values.ts';
import { type CommandRun, type Outcome, runCommand, SILENCE } from './run-command.ts';
import { type BrokenBy, tryValues } from './try-values.ts';

const NO_REQUEST =
  'No request reached the mock. Use the base URL in the variable ANIMAL_STORE_URL. If your tests start a mock, use forEachBehaviour.';

const NO_KEY =
  'The mock refused each request with 401, so that no behaviour could break the command. Send the key in the variable ANIMAL_STORE_API_KEY.';

interface TrialOptions {
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

interface Failure extends FailedTests {
  readonly outcome: Exclude<Outcome, 'passed'>;
}

export interface ValueCause extends Failure {
  readonly value: ChoiceValue;
}

export interface ChoiceCause {
  readonly choice: ChoiceName;
  readonly values: readonly ValueCause[];
}

/** The result of `--try-behaviours`, also as JSON. The values that would change most responses come first. */
export interface Trial {
  readonly version: 1;
  readonly given: readonly string[];
  readonly command: readonly string[];
  readonly runs: number;
  /** Why the runs ended: all values were tried, or by a signal. */
  readonly endedBy: 'end' | 'signal';
  /** Values with which the command fails each time. */
  readonly causes: readonly ChoiceCause[];
  /** Values that change a response, and with which the command passes. */
  readonly passed: readonly ChoiceValues[];
  /** Values that would have changed no response. */
  readonly neverActed: readonly ChoiceValues[];
  /** Values with which the command fails, but not each time, or not only with them. */
  readonly unstable: readonly ChoiceCause[];
  /** Values that were not tried before the signal. */
  readonly untested: readonly ChoiceValues[];
}

const MILLISECONDS_OF_MINUTE = 60_000;

/** Maximum time of the run with the default behaviour, in ms. */
export const DEFAULT_RUN_TIMEOUT = 30 * MILLISECONDS_OF_MINUTE;

/** Time that every later run gets to end, in ms. */
const LEAST_TIMEOUT = MILLISECONDS_OF_MINUTE;

/** Time that a later run gets to end, as a multiple of the time with the default behaviour. */
const TIMES_DEFAULT_RUN = 5;

/** Number of characters of the output that are printed if the command fails with the default behaviour. */
const SHOWN_OUTPUT = 4_000;

const MILLISECONDS_OF_SECOND = 1_000;

const IS_WATCH = `The command has printed nothing for ${SILENCE / MILLISECONDS_OF_SECOND} s. Is this a watch command? Give a command that ends by itself.`;

/**
 * Runs a command with the default behaviour, and then with each value that would have changed a response to it, all at one base URL,
 * and finds the values that break it.
 * @returns undefined if the signal came before the command has passed with the default behaviour.
 * @throws StartError if the command fails with the default behaviour, or sends the mock no request that it accepts.
 */
export async function tryBehaviours(options: MockOptions, trial: TrialOptions): Promise<Trial | undefined> {
  const { words, keys, signal, onProgress, onMessage } = trial;
  let given: MockOptions = { ...options, checkedProxy: false, log: 'silent' };
  let runs = 0;
  let timeout = DEFAULT_RUN_TIMEOUT;
  const run = async (
    behaviour: Difference,
    progress: string,
    effects?: EffectCounts,
  ): Promise<CommandRun> => {
    onProgress(`… ${printDifference(behaviour)[0] ?? 'the default behaviour'} (${progress})`);
    const { mock, close } = await launchMock(resolveMockOptions({ ...given, behaviour }), { effects });
    given = { ...given, port: Number(new URL(mock.url).port) };
    runs += 1;
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
  const usual = await run({}, 'first', effects);
  if (signal.aborted) return undefined;
  if (usual.outcome !== 'passed') {
    process.stderr.write(`\n${redact(usual.output, keys).trimEnd().slice(-SHOWN_OUTPUT)}\n`);
    throw new StartError(`${describeDefaultRun(usual)}. See the output above.`);
  }
  const values = effects.list();
  if (effects.requests === 0) throw new StartError(NO_REQUEST);
  if (effects.accepted === 0) throw new StartError(NO_KEY);
  onMessage(
    `${values.length} of ${triedValues.length} values change a response. The runs with them take about ${describeTime(usual.ms * values.length)}, and longer where tests fail: those wait for their timeouts, and run again.`,
  );
  timeout = Math.max(LEAST_TIMEOUT, TIMES_DEFAULT_RUN * usual.ms);
  const findFailure = async (behaviour: Difference, progress: string): Promise<Failure | undefined> => {
    const { outcome, output } = await run(behaviour, progress);
    return outcome === 'passed' ? undefined : { outcome, ...findFailedTests(redact(output, keys)) };
  };
  const tried = await tryValues(values, findFailure, () => signal.aborted);
  return {
    version: 1,
    given: redact(trial.given, keys),
    command: redact(words, keys),
    runs,
    endedBy: signal.aborted ? 'signal' : 'end',
    causes: groupCauses(tried.broken),
    passed: groupValues(tried.passed),
    neverActed: findNeverActing(values),
    unstable: groupCauses(tried.unstable),
    untested: groupValues(tried.untested),
  };
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

function groupCauses(broken: readonly BrokenBy<Failure>[]): ChoiceCause[] {
  const groups = Map.groupBy(broken, ({ choice }) => choice);
  return [...groups].map(([choice, own]) => ({
    choice,
    values: own.map(({ value, failure }) => ({ value, ...failure })),
  }));
}
