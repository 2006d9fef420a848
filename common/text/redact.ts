import { decodeEscapes } from './decode-escapes.ts';

export const REDACTED = '[key]';

/** Minimum length of a key that is redacted, in characters. A shorter one is a part of many words. */
export const SHORTEST_KEY = 4;

/** A key that services may compare and show in any case, and without its hyphens. Source: RFC 9562, section 4 */
export const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

export function isLongEnough({ length }: string): boolean {
  return length >= SHORTEST_KEY;
}

interface Spelling {
  readonly spelling: string;
  /** Text that replaces the spelling. */
  readonly shown: string;
}

/**
 * Spellings by a number of their last four letters: of thousands, a text has only a few of these. Each of those with letters that it has
 * is looked for once, since keys may end alike, and a text may repeat their end.
 */
class Spellings {
  readonly #byLastLetters = new Map<number, Spelling[]>();

  add(one: Spelling): void {
    const last = one.spelling.slice(-SHORTEST_KEY);
    const letters = last.split('').reduce((sum, letter) => addLetter(sum, letter.charCodeAt(0)), 0);
    const others = this.#byLastLetters.get(letters);
    if (others === undefined) this.#byLastLetters.set(letters, [one]);
    else others.push(one);
  }

  /** Returns the spellings that are in a text. */
  findIn(text: string): Spelling[] {
    if (this.#byLastLetters.size === 0) return [];
    const found = new Set<Spelling[]>();
    let letters = 0;
    for (let index = 0; index < text.length; index += 1) {
      letters = addLetter(letters, text.charCodeAt(index));
      const ending = this.#byLastLetters.get(letters);
      if (ending !== undefined) found.add(ending);
    }
    return [...found].flat().filter(({ spelling }) => text.includes(spelling));
  }
}

/** Adds a letter to a number of 32 bits, which loses the one that was added four letters earlier. */
function addLetter(letters: number, code: number): number {
  return (letters << 8) ^ code;
}

/** Returns the spellings in a text, the longest first, since others may be a part of it. */
function findIn(text: string, all: readonly Spellings[]): Spelling[] {
  const found = all.flatMap((spellings) => spellings.findIn(text));
  return found.sort((one, other) => other.spelling.length - one.spelling.length);
}

/** Keys, each of which is spelled only once. */
class SpelledKeys {
  readonly keys = new Set<string>();
  readonly spellings = new Spellings();
  /** For texts without escapes. */
  readonly decoded = new Spellings();
  /** For names of headers: Node, HTTP/2 and many servers write them in lower case. */
  readonly inNames = new Spellings();

  add(key: string, shown: string): void {
    this.keys.add(key);
    const spellings = spell(key);
    for (const spelling of spellings) this.spellings.add({ spelling, shown });
    const decoded = new Set(spellings.map(decodeEscapes).filter(isLongEnough));
    for (const spelling of decoded) this.decoded.add({ spelling, shown });
    const inNames = new Set([...spellings, ...decoded].map((spelling) => spelling.toLowerCase()));
    for (const spelling of inNames) this.inNames.add({ spelling, shown });
  }
}

/** Keys to redact, in all their spellings. Keys can be added at any time. */
export class Keys {
  readonly #own = new SpelledKeys();
  #all: readonly SpelledKeys[] = [this.#own];

  /** @param names Texts that replace keys instead of `[key]`. */
  constructor(keys: readonly string[] = [], names: ReadonlyMap<string, string> = new Map()) {
    this.add(keys, names);
  }

  add(keys: readonly string[], names: ReadonlyMap<string, string> = new Map()): void {
    for (const key of keys) {
      const isKnown = this.#all.some((one) => one.keys.has(key));
      if (isLongEnough(key) && !isKnown) this.#own.add(key, names.get(key) ?? REDACTED);
    }
  }

  /** Returns these keys, and those that are added to them later, together with others. */
  with(others: readonly string[]): Keys {
    const keys = new Keys();
    keys.#all = [keys.#own, ...this.#all];
    keys.add(others);
    return keys;
  }

  /** Returns the name of a header, or what replaces a key in it: the rest of such a name says nothing. */
  redactName(name: string): string {
    const inNames = this.#all.map((one) => one.inNames);
    const texts = new Set([name.toLowerCase(), decodeEscapes(name).toLowerCase()]);
    const [found] = [...texts].flatMap((text) => findIn(text, inNames));
    return found?.shown ?? name;
  }

  /**
   * Returns a text without the keys: as they are, in base64, and in the escapes that clients and servers use. A line with a key in a
   * mixture of escapes becomes `[key]`.
   */
  redactText(text: string): string {
    const inText = this.#all.map(({ spellings }) => spellings);
    const redacted = replaceIn(text, inText);
    const decoded = decodeEscapes(text);
    if (decoded === text) return redacted;
    const inDecoded = this.#all.map((one) => one.decoded);
    const ofDecoded = replaceIn(decoded, inDecoded);
    if (ofDecoded === decoded || ofDecoded === decodeEscapes(redacted)) return redacted;
    const lines = text.split('\n');
    return lines.length === 1 ? REDACTED : lines.map((line) => this.redactText(line)).join('\n');
  }
}

/** Replaces keys in a text. */
function replaceIn(text: string, all: readonly Spellings[]): string {
  return findIn(text, all).reduce(
    (replaced, { spelling, shown }) => replaced.replaceAll(spelling, () => shown),
    text,
  );
}

/**
 * Redacts keys in finished data, where it leaves the process: in texts, also within arrays and objects. The names of members are
 * ours, so they stay, and so does everything but text, such as bytes and dates. A text must be redacted before it is cut, because half
 * a key is not recognized.
 * @param kept names of members that stay: they have words of ours, even if one is a key too
 */
export function redact<Data>(data: Data, keys: Keys, kept: ReadonlySet<string> = new Set()): Data {
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return keys.redactText(value);
    if (Array.isArray(value)) return value.map(walk);
    if (!isPlainObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, kept.has(name) ? one : walk(one)]),
    );
  };
  return walk(data) as Data;
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** Spells a key as clients, services and proxies do. */
function spell(key: string): string[] {
  const percent = encodeURIComponent(key.toWellFormed());
  const json = JSON.stringify(key).slice(1, -1);
  // Node reads the bytes of a header as Latin-1.
  const bytes = String.fromCharCode(...new TextEncoder().encode(key));
  const all = [
    key,
    bytes,
    // A query has a blank as a plus sign, so services may show one as the other.
    key.replaceAll('+', ' '),
    key.replaceAll(' ', '+'),
    percent,
    percent.replaceAll(/%../g, (code) => code.toLowerCase()),
    encodeURIComponent(percent),
    json,
    // PHP escapes slashes, and keys in base64 have some.
    json.replaceAll('/', '\\/'),
    ...(UUID.test(key) ? spellUuid(key) : []),
    ...toBase64(bytes).flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]),
    spellSigns(key, (code) => `&#${code};`),
    spellSigns(key, (code) => `&#x${toHex(code, 2)};`),
    spellSigns(key, (code) => `\\u${toHex(code, 4)}`),
    spellSigns(key, (code) => `\\u${toHex(code, 4).toLowerCase()}`),
  ];
  return [...new Set(all)].filter(isLongEnough);
}

/** Spells a UUID in each case, with its hyphens and without. */
function spellUuid(uuid: string): string[] {
  const digits = uuid.replaceAll('-', '');
  return [uuid, digits].flatMap((text) => [text.toLowerCase(), text.toUpperCase()]);
}

/** Writes every character of a key that is no letter and no digit as templates and JSON do. */
function spellSigns(key: string, write: (code: number) => string): string {
  return key.replaceAll(/\W/g, (char) => write(char.charCodeAt(0)));
}

function toHex(code: number, length: number): string {
  return code.toString(16).toUpperCase().padStart(length, '0');
}

/** Spells a key in base64. Bytes in front of it shift its bits, so there are three spellings. */
function toBase64(key: string): string[] {
  return [0, 1, 2].map((pad) =>
    btoa('\0'.repeat(pad) + key).slice(Math.ceil((pad * 8) / 6), Math.floor(((pad + key.length) * 8) / 6)),
  );
}
