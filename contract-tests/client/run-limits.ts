import { inGroup, option } from '../../common/cli/options.ts';
import { integer } from '../../common/schemas.ts';

/** Limits of a run, and how it connects. */
export interface RunLimits {
  /** Maximum time for a response, in ms. @default 10_000 */
  readonly timeout?: number;
  /** Maximum time of the run in ms. The clauses left at its end are skipped. @default 900_000 */
  readonly deadline?: number;
  /** Number of retries after a 429. @default 5 */
  readonly retries?: number;
  /** Maximum time until a list has a new animal, in ms. @default 2_000 */
  readonly settle?: number;
  /** Maximum number of open requests. @default 8 */
  readonly concurrency?: number;
  /** Maximum number of requests per second. @default 50; on loopback any number */
  readonly maxRate?: number;
  /** Time to wait until the deployment answers, in ms. @default 0 */
  readonly wait?: number;
  /** Seed of random values. @default 1 */
  readonly seed?: number;
  /** Number of cases for each property. @default 12 */
  readonly runs?: number;
  /** Headers for every request, such as for a gateway. @default {} */
  readonly headers?: Readonly<Record<string, string>>;
  /** Trusts any certificate. @default false */
  readonly insecure?: boolean;
}

/** Maximum number of animals that a run adds. The mock gets 62, and a deployment whose animals others change all the time 75. */
export const MOST_ADDED = 80;

/** Requests per second to a deployment that is not on loopback. */
export const USUAL_RATE = 50;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const MOST_RETRIES = 1_000;
const MOST_CONNECTIONS = 100;
const LARGEST_RATE = 1_000_000;
const LARGEST_SEED = 2 ** 31 - 1;
const MOST_CASES = 100_000;

/** The rows of limits of time and number. */
export const paceOptions = inGroup('Pace', {
  timeout: option('--timeout <ms>', 'wait this long for a response', {
    schema: integer(1, HOUR),
    default: 10 * SECOND,
  }),
  deadline: option('--deadline <ms>', 'end the run after this time', {
    schema: integer(1, DAY),
    default: 15 * MINUTE,
  }),
  retries: option('--retries <n>', 'retry a request this often after a 429', {
    schema: integer(0, MOST_RETRIES),
    default: 5,
  }),
  settle: option('--settle <ms>', 'wait this long for new animals', {
    schema: integer(0, MINUTE),
    default: 2 * SECOND,
  }),
  concurrency: option('--concurrency <n>', 'open at most this many requests at once', {
    schema: integer(1, MOST_CONNECTIONS),
    default: 8,
  }),
  maxRate: option('--max-rate <n>', 'send at most this many requests per second', {
    schema: integer(1, LARGEST_RATE),
    defaultInWords: `${USUAL_RATE}, on loopback any`,
  }),
  wait: option('--wait <ms>', 'wait this long until the deployment answers', {
    schema: integer(0, HOUR),
    default: 0,
  }),
});

/** The rows of the values that the suite chooses. */
export const caseOptions = inGroup('Test data', {
  seed: option('--seed <n>', 'seed the random values', { schema: integer(0, LARGEST_SEED), default: 1 }),
  runs: option('--runs <n>', 'try this many cases for each property', {
    schema: integer(1, MOST_CASES),
    default: 12,
  }),
});
