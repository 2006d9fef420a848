import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';

export const suiteVersion: string = createRequire(import.meta.url)(
  'animal-store-contract-tests/package.json',
).version;

/** A deployment and the options of a run, as in `VerifyOptions`. Times are in ms. */
export interface Target {
  /** The base URL, without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Lets the suite add animals, which nothing can delete. */
  readonly allowsWrites: boolean;
  readonly timeout: number;
  readonly deadline: number;
  readonly retries: number;
  readonly concurrency: number;
  readonly maxRate: number;
  /** How long a list may lack a new animal: from then on the animal is late, and not lost. */
  readonly settle: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly categoryId: bigint | undefined;
  /** The origin of the quickstart's POST /messages, without a slash at its end. */
  readonly quickstart: string | undefined;
  readonly ca: string | undefined;
  /** Path of the file that `ca` was read from, for curl lines. */
  readonly caFile: string | undefined;
  readonly insecure: boolean;
  readonly seed: number;
  readonly runs: number;
  /** Identifies the run in the User-Agent of its requests. */
  readonly runId: string;
  /** The current time, for deprecations. */
  readonly now: Date;
}

/** Options of a target. An option that is undefined gets its default. */
export type TargetOptions = Pick<Target, 'baseUrl' | 'apiKey' | 'allowsWrites'> & {
  readonly [Name in keyof Target]?: Target[Name] | undefined;
};

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
