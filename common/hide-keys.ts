import { isUtf8 } from 'node:buffer';

/** What stands where a key was. */
export const HIDDEN = '[key]';

/** The shortest key that is hidden, in characters: a shorter one is not a secret, and is a part of many words. */
export const SHORTEST_KEY = 4;

/** How often a text may have been escaped, such as twice for a URL, then for JSON and for HTML. */
export const MOST_LAYERS = 4;

/** An escaped byte or character: percent-encoded, as in JSON or JavaScript, or an HTML entity. */
const ESCAPE =
  /[\\%]u([\da-f]{4})|(?:%|\\x)([\da-f]{2})|&#x0*([\da-f]{2,4});|&#0*(\d{2,5});|&(amp|lt|gt|quot|apos);|\\(["'\\/])/gi;

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** A key as it may stand in a text, in lower case. */
interface Spelling {
  readonly text: string;
  /** Whether the characters beside it in base64 may hold bits of the key. */
  readonly isBase64: boolean;
}

/** A text, some of its escapes decoded, and where each of its characters began in the original, and its end. */
interface Layer {
  readonly text: string;
  readonly places: readonly number[] | undefined;
}

type Range = readonly [start: number, end: number];

/**
 * Creates what hides keys in a text: as they are, percent-encoded, escaped as in JSON or HTML, any of these four times over,
 * in base64 or base64url (also with more around it, as in `user:key`), and in hex; in any case, and as bytes of UTF-8 or
 * Latin-1. It is made once for a set of keys, and takes time in proportion to the text; asked for the keys of the last time,
 * it is the same.
 */
export function createHideKeys(keys: readonly string[]): (text: string) => string {
  const wanted = JSON.stringify(keys);
  if (last.keys !== wanted) last = { keys: wanted, hide: createHide(keys) };
  return last.hide;
}

/** A request comes with the keys of the one before, as a rule, and to spell them takes longer than to hide them. */
let last = { keys: '', hide: (text: string) => text };

function createHide(keys: readonly string[]): (text: string) => string {
  const spellings = [...new Set(keys.flatMap(recode).flatMap(recode))].filter(isLongEnough).flatMap(spell);
  const byHead = Map.groupBy(spellings, ({ text }) => headOf(text));
  return (text) => {
    const found = spellings.length === 0 ? [] : findKeys(text, byHead);
    return found.length === 0 ? text : replaceRanges(text, found);
  };
}

/** Whether a header, a parameter or an option holds a key, by its name. */
export function isKeyName(name: string): boolean {
  return /key|token|secret|passw|auth|bearer|credential/i.test(name);
}

/** Hides parameters whose names say that they hold a key: some send one there, where it does not belong. */
export function hideParameters(target: string): string {
  if (!target.includes('?')) return target;
  return target.replaceAll(/([?&])([^=&?]*)=([^&]*)/g, (parameter, mark, name, value) =>
    isKeyName(name) && value !== HIDDEN ? `${mark}${name}=***` : parameter,
  );
}

/** The values of parameters whose names say that they hold a key, as they were sent; an answer may quote them. */
export function findParameterKeys(target: string): string[] {
  const parameters = target.matchAll(/[?&]([^=&?]*)=([^&]*)/g);
  return [...parameters].flatMap(([, name = '', value = '']) => (isKeyName(name) ? [value] : []));
}

/** The most secrets of a request that are looked for. */
export const MOST_SECRETS = 32;

/** Returns secrets in the headers of a request, and in its URL: those of Authorization first, at most `MOST_SECRETS`. */
export function findSecrets(headers: Iterable<readonly [name: string, value: string]>, url = ''): string[] {
  const values = Array.from(headers).filter(([name]) => isKeyName(name));
  const first = values.toSorted(([one], [other]) => Number(isOwn(other)) - Number(isOwn(one)));
  const found = [...first.flatMap(([, value]) => findKeysIn(value)), ...findParameterKeys(url)];
  return [...new Set(found)].filter(isLongEnough).slice(0, MOST_SECRETS);
}

function isOwn(name: string): boolean {
  return name.toLowerCase() === 'authorization';
}

/** The most parts of a header that are taken for keys. */
const MOST_PARTS = 20;

/**
 * What may be a key in the value of a header, Authorization or another: all of it and, since it may have been there twice,
 * each part between commas; these also without a scheme, a name and quotes, and the user and the password of Basic.
 */
export function findKeysIn(value: string): string[] {
  const parts = [value, ...value.split(',', MOST_PARTS)].map((part) => part.trim());
  return parts.flatMap((part) => {
    const found = [/^\S+\s+/, /^\S+\s+(?:(?:bearer|basic|token|apikey)\s+)*/i].map((scheme) =>
      part.replace(scheme, ''),
    );
    const bare = found.map((key) =>
      key.replace(/^(?:[\w-]+=(?!=|$))?["'<]?/, '').replace(/["'>;]{1,3}$/, ''),
    );
    return [part, ...found, ...bare, ...(/^basic\s/i.test(part) ? bare.flatMap(findCredentials) : [])];
  });
}

/** The user and the password. Source: RFC 7617 section 2 */
function findCredentials(encoded: string): string[] {
  const [, user = '', password = ''] =
    /^([^:]*):?(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  return [user, password];
}

function isLongEnough({ length }: string): boolean {
  return length >= SHORTEST_KEY;
}

/** A key, and what it is in a header: there its bytes of UTF-8, in any case, are read as Latin-1; it may happen twice. */
function recode(key: string): string[] {
  if (/^[\0-\x7f]*$/.test(key)) return [key];
  const asLatin1 = [key, key.toUpperCase(), key.toLowerCase()].map((one) =>
    Buffer.from(one).toString('latin1'),
  );
  const bytes = Buffer.from(key, 'latin1');
  const isLatin1 = bytes.toString('latin1') === key && isUtf8(bytes);
  return [key, ...asLatin1, ...(isLatin1 ? [bytes.toString()] : [])];
}

function spell(key: string): Spelling[] {
  const bytes = Buffer.from(key);
  // A key may look as if it held escapes, and only some of its characters be escaped once more.
  const plain = [...[...toLayers(key)].map(({ text }) => text), bytes.toString('hex')].filter(isLongEnough);
  // What stands before the key shifts its bits; here is what depends on the key alone.
  const encoded = [0, 1, 2].flatMap((before) => {
    const base64 = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const own = base64.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
  const toSpellings = (texts: readonly string[], isBase64: boolean) =>
    [...new Set(texts.map(fold))].map((text) => ({ text, isBase64 }));
  return [...toSpellings(plain, false), ...toSpellings(encoded, true)];
}

/** Lower case, character by character: one alone would become two, and another is written otherwise at the end of a word. */
function fold(text: string): string {
  return text.replaceAll('\u0130', 'i').toLowerCase().replaceAll('\u03c2', '\u03c3');
}

function findKeys(text: string, byHead: ReadonlyMap<number, readonly Spelling[]>): Range[] {
  const found: Range[] = [];
  for (const { text: decoded, places } of toLayers(text)) {
    const toPlace = (index: number) => places?.[index] ?? index;
    for (const [start, end] of findSpellings(fold(decoded), byHead)) {
      found.push([toPlace(start), toPlace(end)]);
    }
  }
  return found;
}

/** Finds all spellings in one pass over the string. */
function findSpellings(folded: string, byHead: ReadonlyMap<number, readonly Spelling[]>): Range[] {
  const found: Range[] = [];
  let head = 0;
  for (let next = 0; next < folded.length; next += 1) {
    head = addToHead(head, folded.charCodeAt(next));
    const candidates = byHead.get(head);
    const start = next + 1 - SHORTEST_KEY;
    if (candidates === undefined || start < 0) continue;
    for (const { text, isBase64 } of candidates) {
      if (!folded.startsWith(text, start)) continue;
      const end = start + text.length;
      const isBeside = (index: number) => isBase64 && /^[\w+/-]$/.test(folded.charAt(index));
      found.push([isBeside(start - 1) ? start - 1 : start, isBeside(end) ? end + 1 : end]);
    }
  }
  return found;
}

function headOf(text: string): number {
  return text
    .slice(0, SHORTEST_KEY)
    .split('')
    .map((char) => char.charCodeAt(0))
    .reduce(addToHead, 0);
}

/** Adds a character to the number of a head, the first characters of a spelling; the fifth last one falls out of the 32 bits. */
function addToHead(head: number, code: number): number {
  return (head << 8) ^ code;
}

/** A text as it is, then decoded once, and so on. */
function* toLayers(text: string): Generator<Layer> {
  let layer: Layer | undefined = { text, places: undefined };
  for (let count = 0; layer !== undefined && count <= MOST_LAYERS; count += 1) {
    yield layer;
    layer = decode(layer);
  }
}

/** Decodes each escape once. @returns undefined when there is none */
function decode({ text, places }: Layer): Layer | undefined {
  if (!/[%\\&]/.test(text)) return undefined;
  const kept: number[] = [];
  let end = 0;
  const keepTo = (index: number) => {
    for (; end < index; end += 1) kept.push(places?.[end] ?? end);
  };
  const toChar = (written: string, ...groups: (string | number | undefined)[]) => {
    const [unicode, byte, hexEntity, decimal, name, char, index] = groups;
    keepTo(Number(index) + 1);
    end = Number(index) + written.length;
    if (char !== undefined) return String(char);
    if (name !== undefined) return entities[String(name).toLowerCase()] ?? '';
    return String.fromCharCode(Number(decimal ?? `0x${unicode ?? byte ?? hexEntity}`));
  };
  const decoded = text.replaceAll(ESCAPE, toChar);
  if (decoded.length === text.length) return undefined;
  keepTo(text.length + 1);
  return { text: decoded, places: kept };
}

/** Puts what is shown for a key in the place of ranges, which may overlap. */
function replaceRanges(text: string, ranges: readonly Range[]): string {
  const parts: string[] = [];
  let shown = 0;
  for (const [start, end] of ranges.toSorted(([one], [other]) => one - other)) {
    if (start >= shown) parts.push(text.slice(shown, start), HIDDEN);
    shown = Math.max(shown, end);
  }
  return `${parts.join('')}${text.slice(shown)}`;
}
