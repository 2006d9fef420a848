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

/** Longest start of a spelling that is searched for, in characters. */
export const LONGEST_SEARCHED = 128;

/** Longest start of a key that is spelled, in characters. */
const LONGEST_SPELLED = 1_024;

/** Start of a key as it may appear in a text, in lower case. */
interface Spelling {
  readonly text: string;
  /** The characters next to it in base64 may hold bits of the key. */
  readonly isBase64: boolean;
  /** The key goes on after it. */
  readonly isCut: boolean;
}

/** A text, some of its escapes decoded, and where each of its characters began in the original, and its end. */
interface Layer {
  readonly text: string;
  readonly places: readonly number[] | undefined;
}

type Range = readonly [start: number, end: number];

/** Finds spellings in a text in lower case. */
type Find = (folded: string) => Range[];

/**
 * Returns a function that redacts keys in a text: as they are, percent-encoded, escaped as in JSON or HTML, any of these four
 * times over, in base64 or base64url (also with more around it, as in `user:key`), and in hex; in any case, and as bytes of
 * UTF-8 or Latin-1. It takes time in proportion to the text. A long key is recognised by its start.
 * @param keys Array that is spelled once, until keys are appended.
 * @param others Further keys, such as the keys of a request.
 */
export function createHideKeys(
  keys: readonly string[],
  others: readonly string[] = [],
): (text: string) => string {
  const known = spelled.get(keys);
  const own = known?.count === keys.length ? known.find : createFindSpellings(keys);
  spelled.set(keys, { count: keys.length, find: own });
  const wanted = JSON.stringify(others);
  if (others.length > 0 && last.keys !== wanted) last = { keys: wanted, find: createFindSpellings(others) };
  const find = others.length > 0 ? last.find : findNothing;
  return (text) => {
    const found = findKeys(text, (folded) => [...own(folded), ...find(folded)]);
    return found.length === 0 ? text : replaceRanges(text, found);
  };
}

const spelled = new WeakMap<readonly string[], { readonly count: number; readonly find: Find }>();

/** Requests often have the same keys as the one before, and spelling takes longer than redacting. */
let last: { readonly keys: string; readonly find: Find } = { keys: '', find: findNothing };

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

/** Returns secrets in the headers of a request, and in its URL: the Authorization header first, at most `MOST_SECRETS`. */
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
    texts.map((text) => ({
      text: fold(text.slice(0, LONGEST_SEARCHED)),
      isBase64,
      isCut: text.length > LONGEST_SEARCHED || key.length >= LONGEST_SPELLED,
    }));
  return [...toSpellings(plain, false), ...toSpellings(encoded, true)];
}

/** Lower case, character by character: one alone would become two, and another is written otherwise at the end of a word. */
function fold(text: string): string {
  return text.replaceAll('\u0130', 'i').toLowerCase().replaceAll('\u03c2', '\u03c3');
}

function findKeys(text: string, find: Find): Range[] {
  const found: Range[] = [];
  for (const { text: decoded, places } of toLayers(text)) {
    const toPlace = (index: number) => places?.[index] ?? index;
    for (const [start, end] of find(fold(decoded))) found.push([toPlace(start), toPlace(end)]);
  }
  return found;
}

/** Spellings that a text ends with, as far as it was read: the longest, and whether any is in base64 or cut. */
interface State {
  readonly id: number;
  /** State of the longest shorter end that spellings begin with. */
  readonly fail: State | undefined;
  length: number;
  isBase64: boolean;
  isCut: boolean;
}

function findNothing(): Range[] {
  return [];
}

/** Spells keys and returns a search for all spellings in one pass. Source: Aho and Corasick, Efficient String Matching, 1975 */
function createFindSpellings(keys: readonly string[]): Find {
  const starts = keys.map((key) => key.slice(0, LONGEST_SPELLED));
  const recoded = [...new Set(starts.flatMap(recode).flatMap(recode))].filter(isLongEnough);
  if (recoded.length === 0) return findNothing;
  const root: State = { id: 0, fail: undefined, length: 0, isBase64: false, isCut: false };
  const children = new Map<number, State>();
  const toKey = ({ id }: State, code: number) => id * 65_536 + code;
  const step = (from: State, code: number): State => {
    for (let state: State | undefined = from; state !== undefined; state = state.fail) {
      const child = children.get(toKey(state, code));
      if (child !== undefined) return child;
    }
    return root;
  };
  let open = recoded.flatMap(spell).map((spelling) => ({ ...spelling, state: root }));
  // All spellings grow together, since a state takes over what the shorter states have.
  for (let index = 0; open.length > 0; index += 1) {
    for (const spelling of open) {
      const { text, state, isBase64, isCut } = spelling;
      const code = text.charCodeAt(index);
      const fail = state.fail === undefined ? root : step(state.fail, code);
      const child = children.get(toKey(state, code)) ?? { ...fail, id: children.size + 1, fail };
      children.set(toKey(state, code), child);
      spelling.state = child;
      if (index < text.length - 1) continue;
      child.length = text.length;
      child.isBase64 ||= isBase64;
      child.isCut ||= isCut;
    }
    open = open.filter(({ text }) => text.length > index + 1);
  }
  return (folded) => {
    const found: Range[] = [];
    let state = root;
    let wordEnd = 0;
    for (let end = 1; end <= folded.length; end += 1) {
      state = step(state, folded.charCodeAt(end - 1));
      if (state.length === 0) continue;
      const start = end - state.length;
      const isBeside = (index: number) => state.isBase64 && /^[\w+/-]$/.test(folded.charAt(index));
      if (state.isCut && wordEnd < end) wordEnd = findWordEnd(folded, end);
      const last = state.isCut ? wordEnd : end;
      found.push([isBeside(start - 1) ? start - 1 : start, isBeside(last) ? last + 1 : last]);
    }
    return found;
  };
}

function findWordEnd(text: string, start: number): number {
  const delimiter = /[\s"'<>&\\]/g;
  delimiter.lastIndex = start;
  return delimiter.exec(text)?.index ?? text.length;
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
