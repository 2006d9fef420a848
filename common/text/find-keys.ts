import { decodeEscapes } from './decode-escapes.ts';
import { isLongEnough, REDACTED } from './redact.ts';

/** What a program sends as its key if the variable of the key is empty. */
const EMPTY_VARIABLE = /^(?:undefined|null)$/;

/** Returns whether a key is only the word that JavaScript prints for a variable without a value. */
export function isEmptyVariable(key: string): boolean {
  return EMPTY_VARIABLE.test(key);
}

/** Maximum number of secrets of one request that are redacted. */
export const MOST_SECRETS = 32;

/** Maximum number of parts of a header that are taken for keys. */
export const MOST_PARTS = 20;

/** Maximum number of letters of a name that are read. Each of 100 violations may have a name of megabytes. */
const MOST_LETTERS = 1_000;

/** Returns whether the name of a header, a parameter or an option indicates a key. */
export function isKeyName(name: string): boolean {
  return /key|token|secret|pass(?:w|phrase)|auth|bearer|credential/i.test(name.slice(0, MOST_LETTERS));
}

/** Returns whether the value of a header is a key. Pages cannot set Authorization of a WebSocket, so they send a key as a protocol. */
export function isKeyHeader(name: string, value: string): boolean {
  return isKeyName(name) || (/^sec-websocket-protocol$/i.test(name) && isKeyName(value));
}

/** Matches a parameter of a query or a fragment: its separator, its name, the equals sign and the value. */
const PARAMETER = /([?&#])([^=&?#]*)(=)([^&#]*)/g;

/** Maximum number of URLs around a URL that is the value of a parameter. */
const MOST_NESTED = 3;

/** Patterns that match the parameters of nested URLs, as `PARAMETER` does. Each level encodes the percent signs again. */
const NESTED_PARAMETERS = Array.from({ length: MOST_NESTED }, (_, level) => {
  const separator = `%(?:25){${level}}(?:3f|26|23)`;
  const equals = `%(?:25){${level}}3d`;
  // The URLs around it end its parameters too.
  const end = `[&#]|%(?:25){0,${level}}(?:26|23)`;
  return RegExp(
    `(${separator})((?:(?!${separator}|${equals}|${end}).)*)(${equals})((?:(?!${end}).)*)`,
    'gis',
  );
});

const ALL_PARAMETERS = [PARAMETER, ...NESTED_PARAMETERS];

/** Redacts the values of parameters whose names indicate a key, also in the fragment and in a URL that is a value. */
export function redactParameters(target: string): string {
  if (!/[?#]|%(?:25)*(?:3f|23)/i.test(target)) return target;
  return ALL_PARAMETERS.reduce(
    (shown, pattern) =>
      shown.replaceAll(pattern, (parameter, separator, name, equals) =>
        isKeyName(name) ? `${separator}${name}${equals}${REDACTED}` : parameter,
      ),
    target,
  );
}

/** Minimum length of a cookie that is redacted. Shorter ones are mostly settings, such as `dark`, and words of other texts. */
const SHORTEST_COOKIE = 16;

/** Returns the values of cookies that may be as good as a password. */
function findCookies(header: string): string[] {
  return header.split(';').flatMap((cookie) => {
    const [, name = '', value = ''] = /^\s*([^=]*)="?(.*?)"?\s*$/s.exec(cookie) ?? [];
    return isKeyName(name) || value.length >= SHORTEST_COOKIE ? [value] : [];
  });
}

/** Returns the secrets in the headers of a request and in its URL, at most `MOST_SECRETS`, those of Authorization first. */
export function findSecrets(headers: Iterable<readonly [name: string, value: string]>, url = ''): string[] {
  const all = Array.from(headers);
  const named = all.filter(([name, value]) => isKeyHeader(name, value));
  const isOwn = ([name]: readonly [string, string]) => name.toLowerCase() === 'authorization';
  const ordered = [...named.filter(isOwn), ...named.filter((header) => !isOwn(header))];
  const cookies = all.filter(([name]) => name.toLowerCase() === 'cookie');
  const parameters = ALL_PARAMETERS.flatMap((pattern) => [...url.matchAll(pattern)]);
  const found = [
    ...ordered.flatMap(([, value]) => findKeysIn(value)),
    ...parameters.flatMap(([, , name = '', , value = '']) =>
      isKeyName(name) ? [value, decodeEscapes(value)] : [],
    ),
    ...cookies.flatMap(([, value]) => findCookies(value)),
  ];
  return [...new Set(found)].filter(isLongEnough).slice(0, MOST_SECRETS);
}

const QUOTES_BEFORE = /^(?:[\w-]+=(?!=|$))?["'<]?/;
const QUOTES_AFTER = /["'>;]{1,3}$/;

/** What else may be around a key: a name, and then signs and escapes that are in no token. Source: RFC 6750, section 2.1 */
const WRAPPING =
  /^(?:[\w-]+[=:](?!=|$))?(?:%[\da-f]{2}|[^\p{L}\p{N}_.~+/=-])*|(?:%[\da-f]{2}|[^\p{L}\p{N}_.~+/=-]){1,9}$/giu;

/**
 * Returns possible keys in the value of a header: all of it and its first parts between commas, also without schemes, names and
 * quotes, and the user and the password of Basic.
 */
export function findKeysIn(value: string): string[] {
  // A service may read the bytes as either text.
  const texts = [...new Set([value, decodeBytes(value)])];
  const parts = texts.flatMap((text) => [text, ...text.split(',', MOST_PARTS)]).map((part) => part.trim());
  const found = parts.flatMap((part) => {
    const keys = [part.replace(/^\S+\s+/, ''), part.replace(/^.*\s/s, '')];
    // A key may end with signs itself.
    const unquoted = keys.map((key) => key.replace(QUOTES_BEFORE, '').replace(QUOTES_AFTER, ''));
    const bare = [...unquoted, ...keys.map((key) => key.replaceAll(WRAPPING, ''))];
    return [part, ...keys, ...bare, ...(/^basic\s/i.test(part) ? bare.flatMap(readCredentials) : [])];
  });
  // Such a word is no secret, and is in many other texts.
  return found.filter((key) => !/^(?:basic|bearer)?$/i.test(key) && !isEmptyVariable(withoutScheme(key)));
}

/** Returns a header as its bytes are in UTF-8, if they are: Node reads them as Latin-1. */
function decodeBytes(value: string): string {
  if (!/[\x80-\xff]/.test(value) || /[^\0-\xff]/.test(value)) return value;
  const bytes = Uint8Array.from(value, (char) => char.charCodeAt(0));
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return value;
  }
}

function withoutScheme(key: string): string {
  return key.replace(/^bearer\s+/i, '');
}

/** Returns the user and the password. Source: RFC 7617 section 2 */
function readCredentials(base64: string): string[] {
  try {
    const [, user = '', password = ''] = /^([^:]*):?(.*)$/s.exec(atob(base64)) ?? [];
    return [user, password];
  } catch {
    return [];
  }
}
