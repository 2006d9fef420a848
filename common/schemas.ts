import * as v from 'valibot';
import { logFormats } from './cli/log-format.ts';
import { describeValue } from './http/api-error.ts';
import { inWords } from './text/in-words.ts';
import { describeControl, describeEnds, trimKey } from './text/trim-key.ts';

// The message of each schema follows a name, as in "port must be an integer from 0 to 65535, not 70000".

/** Returns the message of a schema. It repeats the value, so a schema of a secret has a plain string instead. */
export function mustBe(expected: string): (issue: v.BaseIssue<unknown>) => string {
  return ({ input }) => {
    return `must be ${expected}${input === undefined ? '' : `, not ${describeValue(input)}`}`;
  };
}

export function text(expected: string, pattern = /^/) {
  const message = mustBe(expected);
  return v.pipe(v.string(message), v.regex(pattern, message));
}

export function oneOf<const Words extends readonly string[]>(words: Words) {
  return v.picklist(words, mustBe(inWords(words)));
}

export function integer(least: number, largest: number, unit = '') {
  const must = mustBe(`an integer from ${least} to ${largest}${unit}`);
  return v.pipe(v.number(must), v.integer(must), v.minValue(least, must), v.maxValue(largest, must));
}

/** Values of an option that may be repeated; each has to match `item`. */
export function list<Item extends v.GenericSchema>(item: Item, expected: string) {
  const message = `must be an array with at least one value, each ${expected}`;
  return v.pipe(v.array(item, message), v.minLength(1, message));
}

export const flag = v.boolean(mustBe('true or false'));

export function callback<Callback extends (...parameters: never[]) => unknown>() {
  return v.custom<Callback>((value) => typeof value === 'function', mustBe('a function'));
}

export const TIME = 'an ISO 8601 date, or a time with its offset, such as 2030-12-05T00:00:00Z';

const TIME_PATTERN = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** Point in time. A time without an offset is refused, since it would differ between machines. */
export const time = v.pipe(
  v.custom<Date | string>(
    (value) => (value instanceof Date ? !Number.isNaN(value.getTime()) : isTime(`${value}`)),
    mustBe(TIME),
  ),
  v.metadata({ type: 'string', pattern: TIME_PATTERN.source }),
  v.transform((value) => (value instanceof Date ? value : new Date(value))),
);

function isTime(text: string): boolean {
  if (!TIME_PATTERN.test(text)) return false;
  const day = text.slice(0, 10);
  // A Date takes 2030-02-30 as March 2.
  return new Date(day).toJSON()?.startsWith(day) === true && !Number.isNaN(new Date(text).getTime());
}

/**
 * Creates the schema of the base URL of a deployment. Messages do not repeat it, since a wrong one may contain a key.
 * @param advice what to do instead of credentials in the URL
 */
export function createBaseUrl(advice = '') {
  return v.pipe(
    v.custom<string | URL>(
      (value) => /^https?:$/.test(URL.parse(`${value}`)?.protocol ?? ''),
      ({ input }) => (isBlank(input) ? 'is empty. Is the variable set?' : A_BASE_URL),
    ),
    v.transform(String),
    v.check(
      (url) => findForbidden(url, advice) === '',
      ({ input }) => `must not contain ${findForbidden(input, advice)}`,
    ),
  );
}

const A_BASE_URL = 'must be a URL such as https://staging.example/v1, with http or https';

/** A shell passes an empty text for a variable in quotes that is not set. */
const isBlank = (input: unknown) => typeof input === 'string' && input.trim() === '';

function findForbidden(url: string, advice: string): string {
  const { username, password, search, hash } = new URL(url);
  if (username + password !== '')
    return `credentials: leave out the part before the @${advice && `. ${advice}`}`;
  if (search !== '') return 'a query';
  return hash === '' ? '' : 'a fragment';
}

export const file = text('the path of a file', /./s);
export const port = integer(0, 65_535);
export const host = text('a host name or an IP address', /^\S+$/);

const A_NAME = 'a host name without a port, such as app.test';
const hostName = text(A_NAME, /^(?:[^\s/?#@\\:]+|\[?[\da-f:.]+\]?)$/i);
export const hostNames = v.array(hostName, `must be an array, each value ${A_NAME}`);

/**
 * Key of a user, without a line break at its end. @param message never repeats the key: another message names a character that
 * nobody can see
 */
export function keyText(message: string) {
  return v.pipe(
    v.string(message),
    v.transform(trimKey),
    v.check(
      (key) => describeControl(key) === undefined,
      ({ input }) => `must not contain ${describeControl(input)}`,
    ),
    v.check(
      (key) => describeEnds(key) === undefined,
      ({ input }) => `must not ${describeEnds(input)}`,
    ),
    v.regex(/^[\x21-\x7e]+$/, message),
  );
}

const key = 'printable ASCII without spaces, as an HTTP header carries it';
export const apiKey = keyText(`must be ${key}`);
export const optionalKey = v.optional(apiKey);
export const apiKeys = list(apiKey, key);
export const logFormat = oneOf(logFormats);

/** Members that were given, and members that must be given. */
export type GivenMembers<Schemas extends v.ObjectEntries> = {
  readonly [Name in keyof Schemas]?: Exclude<v.InferOutput<Schemas[Name]>, undefined>;
} & {
  readonly [Name in keyof Schemas as undefined extends v.InferInput<Schemas[Name]>
    ? never
    : Name]: v.InferOutput<Schemas[Name]>;
};
