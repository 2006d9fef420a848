import { listSingles, printDifference } from '../../common/behaviour/behaviours.ts';
import type { Difference } from '../../common/behaviour/choices.ts';
import { extendEnvironment } from '../../common/cli/read-options.ts';
import { StartError } from '../../common/cli/usage-error.ts';
import { quoteForShell } from '../../common/text/print-curl.ts';
import { findAuthority } from '../../common/tls/read-server-tls.ts';
import { startMock } from '../index.ts';
import type { Mock } from '../mock.ts';
import type { MockOptions } from '../mock-options.ts';
import { type Cause, type Causes, findCauses } from './find-causes.ts';
import { type CommandRun, runCommand } from './run-command.ts';

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
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
}

/** The result of `--try-behaviours`, also as JSON. */
export interface Trial extends Causes {
  readonly version: 1;
  readonly given: readonly string[];
  readonly command: readonly string[];
  /** Number of choices that were tried. */
  readonly choices: number;
  readonly runs: number;
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

/** Number of requests that the mock of a run keeps. Only their number counts. */
const JOURNAL_SIZE = 1_000;

/** Number of choices that the progress names. */
const MOST_NAMED = 2;

/** Width of the column of choices, in characters. */
const CAUSE_WIDTH = 36;

/**
 * Runs a command against a new mock for each behaviour, all at one base URL, and finds the choices that break it.
 * @throws StartError if the command fails with the default behaviour, or sends the mock no request.
 */
export async function tryBehaviours(options: MockOptions, trial: TrialOptions): Promise<Trial> {
  const { words, maxRuns, hide, signal, onProgress } = trial;
  let given: MockOptions = { ...options, checkedProxy: false, log: 'silent', journal: JOURNAL_SIZE };
  let runs = 0;
  let requests = 0;
  let timeout = DEFAULT_RUN_TIMEOUT;
  const run = async (behaviour: Difference): Promise<CommandRun> => {
    const mock = await startMock({ ...given, behaviour });
    given = { ...given, port: Number(new URL(mock.url).port) };
    runs += 1;
    onProgress(`… run ${runs} of at most ${maxRuns}: ${describe(behaviour)}`);
    const [apiKey] = options.apiKeys ?? ['test-key'];
    const trusted = options.tlsCert && { NODE_EXTRA_CA_CERTS: findAuthority(options.tlsCert) };
    const variables = { ANIMAL_STORE_URL: mock.url, ANIMAL_STORE_API_KEY: apiKey, ...trusted };
    try {
      return await runCommand(words, extendEnvironment(variables), timeout, signal);
    } finally {
      requests += countRequests(mock);
      await mock.close();
    }
  };
  const first = await run({});
  const second = first.outcome === 'passed' ? await run({}) : first;
  if (second.outcome !== 'passed') {
    process.stderr.write(`\n${hide(second.output).trimEnd().slice(-SHOWN_OUTPUT)}\n`);
    throw new StartError(`${describeDefaultRun(second)}. See the output above.`);
  }
  if (requests === 0) throw new StartError(`No request reached the mock. ${NO_REQUEST}`);
  timeout = Math.max(LEAST_TIMEOUT, TIMES_DEFAULT_RUN * Math.max(first.ms, second.ms));
  const causes = await findCauses(async (behaviour) => (await run(behaviour)).outcome, maxRuns - runs);
  const shown = { given: trial.given.map(hide), command: words.map(hide) };
  return { version: 1, ...shown, runs, choices: countTried(causes), ...causes };
}

/** Describes why the command did not pass with the default behaviour, without a full stop. */
function describeDefaultRun({ outcome }: CommandRun): string {
  if (outcome !== 'timeout') return 'The tests fail, or are not stable, with the default behaviour';
  const minutes = DEFAULT_RUN_TIMEOUT / MILLISECONDS_OF_MINUTE;
  return `The command did not end within ${minutes} minutes with the default behaviour, so it was stopped. Give a command that ends by itself, or that runs a part of the tests`;
}

/** Counts the choices that have a value that was tried. */
function countTried({ untested }: Causes): number {
  const left = new Set(untested.flatMap(printDifference));
  const tried = listSingles().filter((single) => printDifference(single).every((line) => !left.has(line)));
  return new Set(tried.flatMap(Object.keys)).size;
}

function countRequests(mock: Mock): number {
  const counts = mock.sessions().map((name) => mock.session(name).countRequests());
  return counts.reduce((sum, count) => sum + count, mock.countRequests());
}

function describe(behaviour: Difference): string {
  const lines = printDifference(behaviour);
  if (lines.length > MOST_NAMED) return `${lines.length} choices at once`;
  return lines.join(', ') || 'the default behaviour';
}

/** Prints what was found, for people. */
export function printTrial({ given, command, runs, choices, causes, untested }: Trial): string {
  const print = (words: readonly string[]) =>
    words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : quoteForShell(word))).join(' ');
  const name = print(command);
  const isAll = untested.length === 0;
  const [first] = causes;
  const lines = [
    first === undefined
      ? `${name} passes with ${isAll ? 'each behaviour' : 'the behaviours'} that was tried.`
      : `${name} passes with the default behaviour. It fails with`,
    ...causes.map(printCause),
    ...(isAll ? [] : [`Not tried (--max-runs): ${untested.flatMap(printDifference).join(', ')}`]),
    `${runs} runs, ${choices} choices tried.${first === undefined ? '' : ` Try one: ${printCall(first, print(given), name)}`}`,
  ];
  return `${lines.join('\n')}\n`;
}

function printCause({ behaviour, outcome, isConfirmed }: Cause): string {
  const end = outcome === 'timeout' ? 'does not end, ' : '';
  const again = isConfirmed ? 'confirmed' : 'not confirmed: a second run passed, or was not possible';
  return `  ${printDifference(behaviour).join(', ').padEnd(CAUSE_WIDTH)} (${end}${again})`;
}

function printCall({ behaviour }: Cause, given: string, name: string): string {
  return `animal-store-mock${given && ` ${given}`} --behaviour '${JSON.stringify(behaviour)}' -- ${name}`;
}
