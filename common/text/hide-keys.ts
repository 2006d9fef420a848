import { decodeEscapes, locateDecoded } from './decode-escapes.ts';

export const HIDDEN = '[key]';

/** What a program sends as its key if the variable of the key is empty. */
const EMPTY_VARIABLE = /^(?:undefined|null)$/;

/** Returns whether a key is only the word that JavaScript prints for a variable without a value. */
export function isEmptyVariable(key: string): boolean {
  return EMPTY_VARIABLE.test(key);
}

/** Minimum length of a key that is hidden, in characters. A shorter one is a part of many words. */
export const SHORTEST_KEY = 4;

/** Maximum number of secrets of one request that are hidden in texts. */
export const MOST_SECRETS = 32;

/** Maximum number of parts of a header that are taken for keys. */
export const MOST_PARTS = 20;

interface Spelling {
  readonly spelling: string;
  /** Text that replaces the spelling. */
  readonly shown: string;
}

/** Spellings by their last letters, which a key and its ends have in common: of thousands, a text may have only a few. */
class Spellings {
  readonly #byLastLetters = new Map<string, Spelling[]>();

  add(one: Spelling): void {
    const letters = one.spelling.slice(-SHORTEST_KEY);
    const others = this.#byLastLetters.get(letters);
    if (others === undefined) this.#byLastLetters.set(letters, [one]);
    else others.push(one);
  }

  /** Returns the spellings in a text, the longest first, since others may be a part of it. */
  findIn(text: string): Spelling[] {
    return [...this.#byLastLetters]
      .flatMap(([letters, spellings]) => (text.includes(letters) ? spellings : []))
      .filter(({ spelling }) => text.includes(spelling))
      .sort((one, other) => other.spelling.length - one.spelling.length);
  }
}

/** Hides keys in texts. Keys can be added at any time, and each key is spelled only once. */
export class KeyHider {
  readonly #spellings = new Spellings();
  /** For texts without escapes. */
  readonly #decoded = new Spellings();

  /** @param names Texts that replace keys instead of `[key]`. */
  add(keys: readonly string[], names: ReadonlyMap<string, string> = new Map()): void {
    for (const key of new Set(keys)) {
      if (!isLongEnough(key)) continue;
      const shown = names.get(key) ?? HIDDEN;
      const spellings = spell(key);
      for (const spelling of spellings) this.#spellings.add({ spelling, shown });
      const decoded = new Set(spellings.map(decodeEscapes).filter(isLongEnough));
      for (const spelling of decoded) this.#decoded.add({ spelling, shown });
    }
  }

  readonly hide = (text: string): string => {
    const hidden = this.#spellings
      .findIn(text)
      .reduce((rest, { spelling, shown }) => rest.replaceAll(spelling, () => shown), text);
    const decoded = decodeEscapes(hidden);
    if (decoded === hidden) return hidden;
    const found = this.#decoded.findIn(decoded);
    return found.length === 0 ? hidden : hideDecoded(hidden, found);
  };
}

/** Hides spellings that are in the decoded text, and leaves the escapes of the rest as they are. */
function hideDecoded(text: string, spellings: readonly Spelling[]): string {
  const { decoded, positions } = locateDecoded(text);
  const found: { readonly start: number; readonly end: number; readonly shown: string }[] = [];
  let rest = decoded;
  for (const { spelling, shown } of spellings) {
    rest = rest.replaceAll(spelling, (match, index: number) => {
      const end = positions[index + match.length] ?? text.length;
      found.push({ start: positions[index] ?? 0, end, shown });
      // The positions of the rest stay.
      return '\0'.repeat(match.length);
    });
  }
  found.sort((one, other) => one.start - other.start);
  let hidden = '';
  let done = 0;
  for (const { start, end, shown } of found) {
    hidden += text.slice(done, start) + shown;
    done = end;
  }
  return hidden + text.slice(done);
}

/**
 * Returns a function that hides keys in texts: as they are, in base64 (also as `user:key`), and each of them with escapes of
 * percent-encoding, HTML, JSON or JavaScript, also twice.
 * @param names Texts that replace keys instead of `[key]`.
 */
export function createHideKeys(keys: readonly string[], names?: ReadonlyMap<string, string>) {
  const hider = new KeyHider();
  hider.add(keys, names);
  return hider.hide;
}

function spell(key: string): string[] {
  const percent = encodeURIComponent(key.toWellFormed());
  const json = JSON.stringify(key).slice(1, -1);
  // PHP escapes slashes, and keys in base64 have some.
  const php = json.replaceAll('/', '\\/');
  // A query has a blank as a plus sign, so services may show one as the other.
  const read = key.replaceAll('+', ' ');
  // Node reads the bytes of a header as Latin-1.
  const bytes = String.fromCharCode(...new TextEncoder().encode(key));
  return [...new Set([key, read, bytes, percent, json, php, ...toBase64(bytes)])].filter(isLongEnough);
}

/** Spells a key in base64. Bytes in front of it shift its bits, so there are three spellings. */
function toBase64(key: string): string[] {
  return [0, 1, 2].map((pad) =>
    btoa('\0'.repeat(pad) + key).slice(Math.ceil((pad * 8) / 6), Math.floor(((pad + key.length) * 8) / 6)),
  );
}

/** Returns whether the name of a header, a parameter or an option indicates a key. */
export function isKeyName(name: string): boolean {
  return /key|token|secret|pass(?:w|phrase)|auth|bearer|credential/i.test(name);
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

/** Hides the values of parameters whose names indicate a key, also in the fragment and in a URL that is a value. */
export function hideParameters(target: string): string {
  if (!/[?#]|%(?:25)*(?:3f|23)/i.test(target)) return target;
  return ALL_PARAMETERS.reduce(
    (shown, pattern) =>
      shown.replaceAll(pattern, (parameter, separator, name, equals) =>
        isKeyName(name) ? `${separator}${name}${equals}${HIDDEN}` : parameter,
      ),
    target,
  );
}

/** Minimum length of a cookie that is hidden in texts. Shorter ones are mostly settings, such as `dark`, and words of other texts. */
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

/**
 * Returns possible keys in the value of a header: all of it and its first parts between commas, also without schemes, names and
 * quotes, and the user and the password of Basic.
 */
export function findKeysIn(value: string): string[] {
  const parts = [value, ...value.split(',', MOST_PARTS)].map((part) => part.trim());
  const found = parts.flatMap((part) => {
    const keys = [part.replace(/^\S+\s+/, ''), part.replace(/^.*\s/s, '')];
    const bare = keys.map((key) => key.replace(/^(?:[\w-]+=(?!=|$))?["'<]?/, '').replace(/["'>;]{1,3}$/, ''));
    return [part, ...keys, ...bare, ...(/^basic\s/i.test(part) ? bare.flatMap(readCredentials) : [])];
  });
  // Such a word is no secret, and is in many other texts.
  return found.filter((key) => !/^(?:basic|bearer)$/i.test(key) && !isEmptyVariable(withoutScheme(key)));
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

function isLongEnough({ length }: string): boolean {
  return length >= SHORTEST_KEY;
}
