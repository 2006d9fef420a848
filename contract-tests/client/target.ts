import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { defaultsOf } from '../../common/cli/options.ts';
import type { Contract } from '../../common/json/contract.ts';
import { loadContract } from '../../common/load-contract.ts';
import { findProxySecrets, isLoopback } from '../../common/tls/connection.ts';
import type { Trust } from '../../common/tls/trust.ts';
import { paceOptions } from './limit-options.ts';
import { type RunLimits, USUAL_RATE } from './run-limits.ts';
import { createOtherKey } from './wrong-keys.ts';

const { version } = createRequire(import.meta.url)('animal-store-contract-tests/package.json');
export const suiteVersion: string = version;

/** A deployment and the options of a run. */
export interface Target extends Required<RunLimits>, Omit<Trust, 'insecure'> {
  /** The base URL, without a slash at its end. */
  readonly baseUrl: string;
  /** The valid key. */
  readonly apiKey: string;
  /** What the deployment has to keep to: openapi.yaml, unless a test changes it. */
  readonly contract: Contract;
  /** A wrong key of the same form. */
  readonly otherKey: string;
  /** Credentials of the forward proxies, which their responses may repeat. */
  readonly proxySecrets: readonly string[];
  /** Lets the suite add animals, which nothing can delete. */
  readonly allowsWrites: boolean;
  readonly categoryId: bigint | undefined;
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

const defaults: Partial<TargetOptions> = {
  ...defaultsOf(paceOptions),
  headers: {},
  insecure: false,
  curlOptions: [],
};

/** Completes the options of a target. @throws TypeError for a base URL that is not a URL. */
export function resolveTarget(options: TargetOptions): Target {
  const baseUrl = new URL(options.baseUrl).href.replace(/\/+$/, '');
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const maxRate = isLoopback(new URL(baseUrl)) ? Number.POSITIVE_INFINITY : USUAL_RATE;
  const proxySecrets = findProxySecrets(new URL(baseUrl));
  const made = {
    contract: loadContract(),
    maxRate,
    otherKey: createOtherKey(options.apiKey),
    proxySecrets,
    now: new Date(),
    runId: randomUUID().slice(0, 8),
  };
  return { ...defaults, ...made, ...given, baseUrl } as Target;
}
