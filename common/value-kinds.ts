/** What a value must be, and how a text becomes one. */
export interface ValueKind<T> {
  /** To be read after "must be". */
  readonly expected: string;
  /** Turns a text into a value, which may still be an invalid one. @default the text itself */
  readonly fromText?: (text: string) => unknown;
  readonly isValid: (value: unknown) => value is T;
  /** Names the part that makes a value invalid, to be read after "must not contain". The part itself may be a password. */
  readonly findForbidden?: (value: unknown) => string | undefined;
  /** Whether it is kept out of messages. */
  readonly secret?: boolean;
  /** Whether it may be given again: the value is an array of these, and a variable has spaces in between. */
  readonly repeatable?: boolean;
}

/** A text. */
export function text(expected: string, pattern = /^/): ValueKind<string> {
  return { expected, isValid: (value): value is string => typeof value === 'string' && pattern.test(value) };
}

/** One of some texts. */
export function oneOf<const T extends string>(values: readonly T[]): ValueKind<T> {
  return { expected: inWords(values), isValid: (value): value is T => values.includes(value as T) };
}

/** The same kind for an option that may be given again. */
export function repeatable<T>(kind: ValueKind<T>): ValueKind<T> & { readonly repeatable: true } {
  return { ...kind, repeatable: true };
}

/** Texts as they stand in a sentence. */
export function inWords(values: readonly string[]): string {
  if (values.length < 2) return values.join('');
  return `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
}

/** An integer in decimal digits, within bounds that belong to it. */
export function integer(least: number, largest: number, unit = ''): ValueKind<number> {
  const isWithin = (value: number) => value >= least && value <= largest;
  return {
    expected: `an integer from ${least} to ${largest}${unit}`,
    fromText: (digits) => (/^\d{1,15}$/.test(digits) ? Number(digits) : digits),
    isValid: (value): value is number => Number.isInteger(value) && isWithin(Number(value)),
  };
}

/** The base URL of a deployment. It is kept out of messages, since a wrong one may hold a key. */
export const baseUrl: ValueKind<string> = {
  secret: true,
  expected: 'a URL such as https://staging.example/v1, with http or https',
  findForbidden: findForbiddenPart,
  isValid: (value): value is string =>
    typeof value === 'string' &&
    /^https?:$/.test(URL.parse(value)?.protocol ?? '') &&
    findForbiddenPart(value) === undefined,
};

/** Names the part of a URL that a base URL must not contain. */
export function findForbiddenPart(url: unknown): string | undefined {
  const { username = '', password = '', search, hash } = URL.parse(`${url}`) ?? {};
  if (username + password !== '') return 'credentials: leave out the part before the @';
  if (search) return 'a query';
  return hash ? 'a fragment' : undefined;
}

/** The path of a file. */
export const file: ValueKind<string> = text('the path of a file', /./s);

/** A port to listen on. */
export const port: ValueKind<number> = integer(0, 65_535);

/** A host name or an address to listen on. */
export const host: ValueKind<string> = text('a host name or an IP address', /^\S+$/);

/** Host names that requests may be for. */
export const hostNames = repeatable(
  text('a host name without a port, such as app.test', /^(?:[^\s/?#@\\:]+|\[?[\da-f:.]+\]?)$/i),
);

/** An option without a value: its flag makes it true, and `--no-…` false. */
export const flag: ValueKind<boolean> = {
  expected: 'true or false',
  fromText: (word) => (/^(?:true|1|false|0)$/.test(word) ? /^[t1]/.test(word) : word),
  isValid: (value) => typeof value === 'boolean',
};

/** An option whose flag is `--no-…`; its variable says whether it is off. */
export const offSwitch: ValueKind<boolean> = {
  ...flag,
  fromText: (word) => (/^(?:true|1|false|0)$/.test(word) ? /^[f0]/.test(word) : word),
};

const logFormats = ['pretty', 'json', 'silent'] as const;

/** How requests or violations are logged: a line for people, a JSON object, or not at all. */
export type LogFormat = (typeof logFormats)[number];

/** How requests or violations are logged. */
export const logFormat: ValueKind<LogFormat> = oneOf(logFormats);
