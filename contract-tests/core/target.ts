import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';

/** The version of the suite. */
export const suiteVersion: string = createRequire(import.meta.url)(
  'animal-store-contract-tests/package.json',
).version;

/** What is verified, and how. */
export interface Target {
  /** The base URL, without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Lets the suite add animals, which nothing can delete. */
  readonly allowsWrites: boolean;
  /** How long an answer may take, in milliseconds. */
  readonly timeout: number;
  /** How long a run may take, in milliseconds, all waiting included. */
  readonly deadline: number;
  /** How often a request that is answered 429 is made again. */
  readonly retries: number;
  /** The most requests that are open at once; fewer after a 429. */
  readonly concurrency: number;
  /** The most requests a second. */
  readonly maxRate: number;
  /** How long after it was added an animal may be missing from a list, in milliseconds: then it was late, and not lost. */
  readonly settle: number;
  /** Headers that every request carries, such as one that a gateway wants. */
  readonly headers: Readonly<Record<string, string>>;
  /** A category that the deployment knows, where it refuses others. */
  readonly categoryId: bigint | undefined;
  /** The origin of the quickstart's POST /messages, without a slash at its end. */
  readonly quickstart: string | undefined;
  /** Certificates to trust beside the usual ones, in PEM. */
  readonly ca: string | undefined;
  /** Path of the file that `ca` was read from, for curl lines. */
  readonly caFile: string | undefined;
  readonly insecure: boolean;
  /** Seeds what is made up. */
  readonly seed: number;
  /** How many cases a property is tried with. */
  readonly runs: number;
  /** Identifies the run in the User-Agent of its requests. */
  readonly runId: string;
  /** The time by which deprecations are judged. */
  readonly now: Date;
}

/** A target as it is asked for; what is left out or undefined is the default. */
export type TargetOptions = Pick<Target, 'baseUrl' | 'apiKey' | 'allowsWrites'> & {
  readonly [Name in keyof Target]?: Target[Name] | undefined;
};

/** What a target is unless told otherwise. */
export const targetDefaults = {
  timeout: 10_000,
  deadline: 900_000,
  retries: 5,
  settle: 2_000,
  concurrency: 8,
  maxRate: Number.POSITIVE_INFINITY,
  headers: {},
  categoryId: undefined,
  quickstart: undefined,
  ca: undefined,
  caFile: undefined,
  insecure: false,
  seed: 1,
  runs: 12,
} as const;

/** Completes the options of a target. @throws TypeError for a base URL that is not a URL. */
export function resolveTarget(options: TargetOptions): Target {
  const baseUrl = new URL(options.baseUrl).href.replace(/\/+$/, '');
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  return { ...targetDefaults, now: new Date(), runId: randomUUID().slice(0, 8), ...given, baseUrl } as Target;
}
