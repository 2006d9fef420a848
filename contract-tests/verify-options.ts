import { isInt64 } from '../common/int64.ts';
import { readCertificates } from '../common/option-files.ts';
import { expectOptions, type OptionTable, option } from '../common/options.ts';
import { resolveTarget } from './core/target.ts';
import { findIds, isHeader, verifyCommand } from './options.ts';
import type { Result, Traffic } from './report.ts';

/** Which deployment is verified, and how: the options of the command, by the same names. */
export interface VerifyOptions {
  /** The base URL of the deployment, such as `https://staging.example/v1`. */
  readonly baseUrl: string;
  /** A key that the deployment accepts, without "Bearer" before it. */
  readonly apiKey: string;
  /**
   * Lets the suite add about 60 animals, which nothing can delete. With false the suite sends no POST with the valid key,
   * and the verdict is at most `conforms in part`. There is no default, on loopback either: a tunnel may lead anywhere.
   */
  readonly allowWrites: boolean;
  /** The clauses to try: their ids, or what their ids begin with. @default all of them */
  readonly only?: readonly string[];
  /** The origin where POST /messages is tried too, such as `https://staging.example`. @default it is not tried */
  readonly quickstart?: string;
  /** A category that the deployment knows, where it refuses others and has no animals yet; an int64. */
  readonly categoryId?: bigint | number;
  /** How long an answer may take, in ms. @default 10_000 */
  readonly timeout?: number;
  /** How long the run may take, all waiting included, in ms; what is left then is skipped. @default 900_000 */
  readonly deadline?: number;
  /** How often to try again after a 429. @default 5 */
  readonly retries?: number;
  /** How long a list may lag behind, in ms. @default 2_000 */
  readonly settle?: number;
  /** The most requests that are open at once. @default 8 */
  readonly concurrency?: number;
  /** The most requests a second. @default any number */
  readonly maxRate?: number;
  /** Seeds what is made up. @default 1 */
  readonly seed?: number;
  /** Cases to try for each property. @default 12 */
  readonly runs?: number;
  /** Headers for every request, such as a gateway wants. @default {} */
  readonly headers?: Readonly<Record<string, string>>;
  /** The path of a file of certificates to trust beside the usual ones, in PEM. */
  readonly ca?: string;
  /** Whether any certificate is trusted. @default false */
  readonly insecure?: boolean;
  /** Ends the run; what was tried by then is reported. */
  readonly signal?: AbortSignal;
  /** Called after each clause, with the traffic so far. */
  readonly onResult?: (result: Result, traffic: Traffic) => void;
}

/** Checks the options. @throws UsageError naming the option and what was expected of it. */
export function expectVerifyOptions(options: VerifyOptions): void {
  expectOptions({ ...verifyCommand, options: table, check: findMissing }, { ...options });
}

/**
 * Checks the options and fills in the defaults.
 *
 * @throws UsageError naming the option and what was expected of it, or when the file of certificates cannot be read.
 */
export async function resolveVerifyOptions(options: VerifyOptions) {
  expectVerifyOptions(options);
  const { allowWrites, only = [], signal, onResult, categoryId, ca, ...others } = options;
  const target = resolveTarget({
    ...others,
    allowsWrites: allowWrites,
    categoryId: categoryId === undefined ? undefined : BigInt(categoryId),
    ca: ca === undefined ? undefined : await readCertificates(ca, 'ca'),
    caFile: ca,
  });
  return { target, only: only.flatMap(findIds), signal, ...(onResult && { onResult }) };
}

const { list, reporter, verbose, strict, baseline, readOnly, ...shared } = verifyCommand.options;

/** The options of the command; some in the form that a program has for them, and two that only a program can give. */
const table: OptionTable = {
  ...shared,
  only: { ...shared.only, isValid: (value): value is string => findIds(`${value}`).length > 0 },
  categoryId: option('', {
    expected: 'an int64, as a bigint or a safe integer',
    isValid: (value): value is bigint | number => isInt64(value) || Number.isSafeInteger(value),
  })(''),
  headers: option('', {
    secret: true,
    expected: "an object of names and values of headers, none of them the suite's own",
    isValid: (value): value is VerifyOptions['headers'] =>
      isObject(value) && Object.entries(value).every(([name, one]) => isHeader(name, one)),
  })(''),
  signal: option('', {
    expected: 'an AbortSignal',
    isValid: (value): value is AbortSignal => value instanceof AbortSignal,
  })(''),
  onResult: option('', {
    expected: 'a function',
    isValid: (value): value is VerifyOptions['onResult'] => typeof value === 'function',
  })(''),
};

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const required = ['baseUrl', 'apiKey', 'allowWrites'] as const;

function findMissing(given: Partial<Record<(typeof required)[number], unknown>>): string | undefined {
  const missing = required.find((name) => given[name] === undefined);
  return missing && `${missing} is missing; it must be ${shared[missing].expected}`;
}
