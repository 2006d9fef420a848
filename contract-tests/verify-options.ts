import * as v from 'valibot';
import { expectOptions, fillDefaults } from '../common/cli/options.ts';
import { type ExactJson, isJsonObject } from '../common/json/exact-json.ts';
import { mustBe } from '../common/schemas.ts';
import { readTrust } from '../common/tls/read-trust.ts';
import { type RunLimits, resolveTarget, type Target, type TargetOptions } from './client/target.ts';
import { headerLine, sharedSchemas } from './options.ts';
import { readKnown } from './runner/known-failures.ts';
import type { Result, Traffic } from './runner/report.ts';

/** Options of `verifyDeployment`, with the names that the command has for them. */
export interface VerifyOptions extends Partial<RunLimits> {
  /** Base URL of the deployment, such as `https://staging.example/v1`. */
  readonly baseUrl: string;
  /** API key that the deployment accepts, without "Bearer" before it. */
  readonly apiKey: string;
  /**
   * Lets the suite add up to 60 animals, which cannot be deleted. With false the suite sends no POST,
   * and the verdict is at most `conforms in part`. There is no default, since a tunnel on loopback may lead anywhere.
   */
  readonly allowWrites: boolean;
  /** Clauses to test: their ids, or the starts of their ids. @default all clauses */
  readonly only?: readonly string[];
  /** Origin at which to test POST /messages too, such as `https://staging.example`. @default it is not tested */
  readonly quickstart?: string;
  /** Category without animals, an int64, for a deployment that refuses unknown categories. */
  readonly categoryId?: bigint | number;
  /** Path of a file of known failures, as `--known` takes it: they do not fail the run. */
  readonly known?: string;
  /** Path of a file of certificates in PEM to trust in addition to the usual ones. */
  readonly ca?: string;
  /** Paths of the client's certificate and of its key, in PEM, for mutual TLS. */
  readonly clientCert?: string;
  readonly clientKey?: string;
  /** Passphrase of the key. */
  readonly clientPassphrase?: string;
  /** Ends the run. The report has the results so far. */
  readonly signal?: AbortSignal;
  /** Called after each clause, with the traffic so far. */
  readonly onResult?: (result: Result, traffic: Traffic) => void;
}

const schemas = {
  ...sharedSchemas,
  headers: v.optional(
    v.custom<Record<string, string>>(
      (value) => isJsonObject(value as ExactJson) && Object.entries(value as object).every(isHeader),
      'must be an object of headers that the suite does not set, such as { "X-Gateway": "value" }',
    ),
  ),
  signal: v.optional(v.instance(AbortSignal, mustBe('an AbortSignal'))),
  onResult: v.optional(v.function(mustBe('a function'))),
};

function isHeader([name, value]: [string, unknown]): boolean {
  return typeof value === 'string' && v.is(headerLine, `${name}: ${value}`);
}

/** Checks the options and adds the defaults. @throws UsageError naming the option and what was expected of it. */
export function expectVerifyOptions(options: VerifyOptions) {
  return fillDefaults({ schemas }, expectOptions({ schemas }, { ...options }));
}

/** Reads the files of certificates, and completes the target. @throws UsageError if a file cannot be used */
export async function createTarget(
  { allowWrites, ...others }: Omit<TargetOptions, 'allowsWrites'> & { readonly allowWrites: boolean },
  nameOf = (name: string) => name,
): Promise<Target> {
  return resolveTarget({ ...others, ...(await readTrust(others, nameOf)), allowsWrites: allowWrites });
}

/** Checks the options, and separates the options of the target from the options of the run. @throws UsageError */
export async function resolveVerifyOptions(options: VerifyOptions) {
  const { only, signal, onResult, known, ...others } = expectVerifyOptions(options);
  const file = known === undefined ? undefined : await readKnown(known, 'known');
  return { target: await createTarget(others), known: file?.entries, only, signal, onResult };
}
