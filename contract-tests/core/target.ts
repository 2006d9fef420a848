/** What is verified, and how. */
export interface Target {
  /** The base URL, without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Whether animals may be added. @default on loopback alone */
  readonly allowsWrites: boolean;
  /** How long an answer may take, in milliseconds. @default 10 000 */
  readonly timeout: number;
  /** How often a request that is answered 429 is made again. @default 5 */
  readonly retries: number;
  /** The most requests a second. @default any number */
  readonly maxRate: number;
  /** Headers that every request carries, such as one that a gateway wants. @default none */
  readonly headers: Readonly<Record<string, string>>;
  /** A category that the deployment knows, where it refuses others. */
  readonly categoryId: bigint | undefined;
  /** The origin of the quickstart's POST /messages, without a slash at its end. */
  readonly quickstart: string | undefined;
  /** Certificates to trust beside the usual ones, in PEM. */
  readonly ca: string | undefined;
  /** Whether any certificate is accepted. @default false */
  readonly insecure: boolean;
  /** Seeds what is made up. @default 1 */
  readonly seed: number;
  /** How many cases a property is tried with. @default 25 */
  readonly runs: number;
  /** The time by which deprecations are judged. @default now */
  readonly now: Date;
}

/** A target as it is asked for; what is left out or undefined is the default. */
export type TargetOptions = Pick<Target, 'baseUrl' | 'apiKey'> & {
  readonly [Name in keyof Target]?: Target[Name] | undefined;
};

/** Fills in the defaults. @throws TypeError for a base URL that is not a URL. */
export function resolveTarget(options: TargetOptions): Target {
  const baseUrl = new URL(options.baseUrl).href.replace(/\/+$/, '');
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return {
    allowsWrites: /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(baseUrl).hostname),
    timeout: 10_000,
    retries: 5,
    maxRate: Number.POSITIVE_INFINITY,
    headers: {},
    categoryId: undefined,
    quickstart: undefined,
    ca: undefined,
    insecure: false,
    seed: 1,
    runs: 25,
    now: new Date(),
    ...(Object.fromEntries(given) as TargetOptions as Pick<Target, 'apiKey'>),
    baseUrl,
  };
}
