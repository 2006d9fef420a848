import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { findProxySecrets, isLoopback } from '../../common/tls/connection.ts';
import type { Trust } from '../../common/tls/trust.ts';

const { version } = createRequire(import.meta.url)('animal-store-contract-tests/package.json');
export const suiteVersion: string = version;

/** Limits of a run, and how it connects. */
export interface RunLimits {
  /** Maximum time for a response, in ms. @default 10_000 */
  readonly timeout: number;
  /** Maximum time of the run in ms. The clauses left at its end are skipped. @default 900_000 */
  readonly deadline: number;
  /** Number of retries after a 429. @default 5 */
  readonly retries: number;
  /** Maximum time until a list has a new animal, in ms. @default 2_000 */
  readonly settle: number;
  /** Maximum number of open requests. @default 8 */
  readonly concurrency: number;
  /** Maximum number of requests per second. @default 50; on loopback any number */
  readonly maxRate: number;
  /** Time to wait until the deployment answers, in ms. @default 0 */
  readonly wait: number;
  /** Seed of random values. @default 1 */
  readonly seed: number;
  /** Number of cases for each property. @default 12 */
  readonly runs: number;
  /** Headers for every request, such as for a gateway. @default {} */
  readonly headers: Readonly<Record<string, string>>;
  /** Trusts any certificate. @default false */
  readonly insecure: boolean;
}

/** A deployment and the options of a run. */
export interface Target extends RunLimits, Omit<Trust, 'insecure'> {
  /** The base URL, without a slash at its end. */
  readonly baseUrl: string;
  /** The valid key. `replaceKey` changes it. */
  readonly apiKey: string;
  /** Earlier keys of this run, which are redacted too. */
  readonly oldKeys: readonly string[];
  /** Credentials of the forward proxies, which their responses may repeat. */
  readonly proxySecrets: readonly string[];
  /** Returns a new key when the key has expired, or rejects when the signal ends the run. @default none */
  readonly renewKey: ((signal: AbortSignal) => Promise<string>) | undefined;
  /** Lets the suite add animals, which nothing can delete. */
  readonly allowsWrites: boolean;
  readonly categoryId: bigint | undefined;
  /** The origin of the quickstart's POST /messages, without a slash at its end. */
  readonly quickstart: string | undefined;
  /** Options of curl that trust the same certificates. */
  readonly curlOptions: readonly string[];
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
  wait: 0,
  headers: {},
  insecure: false,
  curlOptions: [] as readonly string[],
  oldKeys: [] as readonly string[],
  seed: 1,
  runs: 12,
} as const;

/** Replaces an expired key. The exchanges with it stay exchanges with the valid key. */
export function replaceKey(target: Target, apiKey: string): void {
  Object.assign(target, { apiKey, oldKeys: [...target.oldKeys, target.apiKey] });
}

/** Completes the options of a target. @throws TypeError for a base URL that is not a URL. */
export function resolveTarget(options: TargetOptions): Target {
  const baseUrl = new URL(options.baseUrl).href.replace(/\/+$/, '');
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const maxRate = isLoopback(new URL(baseUrl)) ? Number.POSITIVE_INFINITY : 50;
  const urls = [baseUrl, options.quickstart ?? baseUrl];
  const proxySecrets: readonly string[] = urls.flatMap((url) => findProxySecrets(new URL(url)));
  const made = { maxRate, proxySecrets, now: new Date(), runId: randomUUID().slice(0, 8) };
  return { ...targetDefaults, ...made, ...given, baseUrl } as Target;
}
