import * as v from 'valibot';
import {
  expectOptions,
  type Filled,
  fillDefaults,
  inGroup,
  option,
  type RowsOf,
} from '../common/cli/options.ts';
import { trustOptions } from '../common/cli/shared-options.ts';
import { UsageError } from '../common/cli/usage-error.ts';
import { type ExactJson, isJsonObject } from '../common/json/exact-json.ts';
import { parseInt64 } from '../common/json/int64.ts';
import { callback, createBaseUrl, file, flag, keyText, list, mustBe } from '../common/schemas.ts';
import { printSuggestion } from '../common/text/suggest.ts';
import { readTrust } from '../common/tls/read-trust.ts';
import { paceOptions } from './client/limit-options.ts';
import { MOST_ADDED } from './client/run-limits.ts';
import { resolveTarget, type Target, type TargetOptions } from './client/target.ts';
import { clauses } from './rules/clauses.ts';
import { readKnown } from './runner/known-failures.ts';
import type { VerifyOptions } from './verify-options.ts';

const int64 = v.pipe(
  v.custom<bigint | number>(
    (value) =>
      typeof value === 'number' ? Number.isSafeInteger(value) : parseInt64(`${value}`) !== undefined,
    mustBe('an int64, in a program as a bigint or a safe integer'),
  ),
  v.transform((value) => BigInt(value)),
);

const KEY = 'must be a key without "Bearer" before it, in printable ASCII without spaces';

const CLAUSE = 'the id of a clause or the start of ids, as --list prints them';

const only = list(v.pipe(v.string(mustBe(CLAUSE)), v.nonEmpty(mustBe(CLAUSE))), CLAUSE);

/** Returns the ids of the clauses that ids, or the starts of ids, choose. @throws UsageError for one that chooses none */
export function findIds(starts: readonly string[], option: string): readonly string[] {
  const all = clauses.map(({ id }) => id);
  return starts.flatMap((start) => {
    const found = all.includes(start) ? [start] : all.filter((id) => id.startsWith(start));
    if (found.length > 0) return found;
    const hint = printSuggestion(start, all);
    throw new UsageError(`${option} must be ${CLAUSE}, not ${JSON.stringify(start)}${hint}`);
  });
}

/** Why credentials of a gateway cannot be given, and what works instead. */
const ONE_HEADER =
  'One Authorization header cannot carry both the Basic credentials of a gateway and the API key. ' +
  'The gateway has to take another header (--header) or a client certificate (--client-cert, --client-key)';

/** The rows of options of the deployment, which the command has too. */
export const deploymentOptions = {
  baseUrl: option('[base URL]', 'base URL of the deployment', {
    schema: createBaseUrl(ONE_HEADER),
    isRequired: true,
  }),
  ...inGroup('Safety', {
    allowWrites: option(
      '--allow-writes',
      `also test POST; adds up to ${MOST_ADDED} animals you cannot delete`,
      {
        schema: flag,
        isRequired: true,
      },
    ),
    apiKey: option('--api-key <key>', 'send this API key', {
      schema: keyText(KEY),
      isRequired: true,
      variable: 'ANIMAL_STORE_API_KEY',
    }),
  }),
};

/** The rows of options that select clauses. */
export const selectionOptions = inGroup('Selection', {
  only: option('--only <clause>', 'test only clauses whose ids start with this, repeatable', {
    schema: only,
    default: [],
    isRepeatable: true,
  }),
});

/** The row of the file of known failures. */
export const knownOptions = inGroup('Result', {
  known: option('--known <file>', 'accept the failures in this YAML file', { schema: file }),
});

/** The row of the category, which precedes the other values that the suite chooses. */
export const categoryOptions = inGroup('Test data', {
  categoryId: option('--category-id <id>', 'use this category, which the deployment knows', {
    schema: int64,
  }),
});

const headerPattern = /^([!#$%&'*+.^_`|~\w-]+):\s*([\x20-\x7e]*)$/;

const ownHeaders = /^(?:authorization|host|content-length|content-type|connection|transfer-encoding)$/i;

/** Header that users may set: HTTP can carry it, and the suite does not set it. */
export const headerLine = v.pipe(
  v.string(),
  v.regex(headerPattern, 'must be "Name: value"'),
  v.transform((line) => headerPattern.exec(line)?.slice(1) as [name: string, value: string]),
  v.check(
    ([name]) => !ownHeaders.test(name),
    ({ input: [name] }) => describeOwnHeader(name),
  ),
);

/** Describes why users may not set a header. */
function describeOwnHeader(name: string): string {
  const start = `must be another header: the suite sets ${name}`;
  return name.toLowerCase() === 'authorization' ? `${start} to the API key. ${ONE_HEADER}` : start;
}

const headers = v.custom<Readonly<Record<string, string>>>(
  (value) => isJsonObject(value as ExactJson) && Object.entries(value as object).every(isHeader),
  ({ input }) => {
    const hasKey = Object.keys(Object(input)).some((name) => name.toLowerCase() === 'authorization');
    const expected =
      'must be an object of headers that the suite does not set, such as { "X-Gateway": "value" }';
    return hasKey ? `${expected}. ${ONE_HEADER}` : expected;
  },
);

function isHeader([name, value]: [string, unknown]): boolean {
  return typeof value === 'string' && v.is(headerLine, `${name}: ${value}`);
}

/** The rows of `VerifyOptions`. */
export const verifyOptions = {
  ...deploymentOptions,
  ...selectionOptions,
  ...knownOptions,
  ...paceOptions,
  ...categoryOptions,
  ...trustOptions,
  headers: { schema: headers },
  signal: { schema: v.instance(AbortSignal, mustBe('an AbortSignal')) },
  onResult: { schema: callback<NonNullable<VerifyOptions['onResult']>>() },
} satisfies RowsOf<VerifyOptions>;

/** Checks the options and adds the defaults. @throws UsageError naming the option and what was expected of it. */
export function expectVerifyOptions(options: VerifyOptions): Filled<typeof verifyOptions> {
  return fillDefaults(verifyOptions, expectOptions(verifyOptions, { ...options }));
}

/** Reads the files of certificates, and completes the target. @throws UsageError if a file cannot be used */
export async function createTarget(
  { allowWrites, ...others }: Omit<TargetOptions, 'allowsWrites'> & { readonly allowWrites: boolean },
  nameOf = (name: string) => name,
): Promise<Target> {
  const trust = await readTrust(others, nameOf);
  return resolveTarget({ ...others, ...trust, allowsWrites: allowWrites });
}

/** Checks the options, and separates the options of the target from the options of the run. @throws UsageError */
export async function resolveVerifyOptions(options: VerifyOptions) {
  const { only: starts, signal, onResult, known, ...others } = expectVerifyOptions(options);
  const target = await createTarget(others);
  const only = findIds(starts, 'only');
  const entries = known === undefined ? undefined : await readKnown(known, 'known');
  return { target, known: entries, only, signal, onResult };
}
