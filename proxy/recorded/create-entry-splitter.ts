import { StartError } from '../../common/usage-error.ts';

/** What is wrong with a HAR file, to be read after its name. */
export class HarError extends StartError {
  override readonly name = 'HarError';
}

/** The largest entry that is read, in bytes; a larger one is counted. */
export const LARGEST_ENTRY = 8 * 1024 * 1024;

/** The most JSON values of an entry that is read, beside those in bodies, which are texts: a small entry can hold millions. */
export const MOST_VALUES_OF_ENTRY = 100_000;

/** An element of `log.entries`, not yet parsed. */
export interface RawEntry {
  /** Its number, from 0. */
  readonly index: number;
  /** Where it begins in the file, in bytes. */
  readonly position: number;
  /** Its JSON; undefined when it is too large. */
  readonly bytes: Buffer | undefined;
}

const [BLANK, QUOTE, BACKSLASH, COMMA, COLON] = [0x20, 0x22, 0x5c, 0x2c, 0x3a];
const [BRACE, BRACKET, END_BRACE, END_BRACKET] = [0x7b, 0x5b, 0x7d, 0x5d];
const byteOrderMark = [0xef, 0xbb, 0xbf];

/** The longest name of a member that matters here, in characters. */
const LONGEST_NAME = 'entries'.length;

/** The depth of what stands in `log.entries`. */
const ENTRY = 3;

/**
 * Creates what cuts a HAR file that comes in pieces into the elements of `log.entries`. It looks for their ends alone, and
 * keeps one of them at most; what is in them is for `JSON.parse`. So it needs no library, which would tell of each value.
 */
export function createEntrySplitter() {
  let [position, depth, count] = [0, 0, 0];
  let [isString, isEscaped, isLog, isEntries, hasEntries, isOver] = [
    false,
    false,
    false,
    false,
    false,
    false,
  ];
  // The last text and the last name of a member, outside of entries.
  let [text, name] = ['', ''];
  let parts: Buffer[] = [];
  let [size, values, begin] = [0, 0, -1];

  const keep = (part: Buffer) => {
    size += part.length;
    if (size <= LARGEST_ENTRY) parts.push(part);
    else parts = [];
  };
  const cut = (): RawEntry => {
    const isRead = size <= LARGEST_ENTRY && values <= MOST_VALUES_OF_ENTRY;
    const bytes = isRead ? Buffer.concat(parts) : undefined;
    const entry = { index: count, position: begin, bytes };
    [parts, size, begin] = [[], 0, -1];
    count += 1;
    return entry;
  };
  const open = (byte: number) => {
    if (depth === 1) isLog = name === 'log';
    if (depth === 2 && isLog && name === 'entries' && byte === BRACKET) isEntries = hasEntries = true;
    depth += 1;
    name = '';
  };
  const close = () => {
    depth -= 1;
    if (depth < ENTRY) isEntries = false;
    isOver = depth === 0;
  };
  const expectRoom = (byte: number, at: number) => {
    if (isOver) throw new HarError(`is not JSON: something follows its end, at byte ${at}`);
    if (depth > 0 || byte === BRACE) return;
    throw new HarError('is not a HAR file: it must be a JSON object, and begins with something else');
  };
  return {
    /** @returns the entries that end in this piece. @throws HarError for what cannot be JSON. */
    push(chunk: Buffer): RawEntry[] {
      const found: RawEntry[] = [];
      let start = 0;
      for (let index = 0; index < chunk.length; index += 1) {
        const byte = chunk[index] as number;
        if (isString) {
          if (isEscaped) isEscaped = false;
          else if (byte === BACKSLASH) isEscaped = true;
          else if (byte === QUOTE) isString = false;
          else if (depth < ENTRY && text.length <= LONGEST_NAME) text += String.fromCharCode(byte);
          continue;
        }
        if (byte <= BLANK) continue;
        if (depth === 0) {
          if (byte === byteOrderMark[position + index]) continue;
          expectRoom(byte, position + index);
        }
        const isBorder = isEntries && depth === ENTRY && (byte === COMMA || byte === END_BRACKET);
        if (isBorder && begin >= 0) {
          keep(chunk.subarray(start, index));
          found.push(cut());
        } else if (isEntries && depth === ENTRY && begin < 0 && !isBorder) {
          [begin, start, values] = [position + index, index, 0];
        }
        if (byte === COMMA || byte === BRACE || byte === BRACKET) values += 1;
        if (byte === QUOTE) [isString, text] = [true, ''];
        else if (byte === BRACE || byte === BRACKET) open(byte);
        else if (byte === END_BRACE || byte === END_BRACKET) close();
        else if (byte === COLON && depth < ENTRY) name = text;
        else if (byte === COMMA && depth < ENTRY) name = '';
      }
      if (begin >= 0) keep(chunk.subarray(start));
      position += chunk.length;
      return found;
    },
    /** @throws HarError when the file broke off, or has no `log.entries` or none in it. */
    end(): void {
      const where = isEntries ? ` in or behind log.entries[${count}]` : '';
      if (position === 0) throw new HarError('is empty; it must be a HAR file');
      if (!isOver) throw new HarError(`is cut off: it ends at byte ${position}${where}`);
      if (!hasEntries)
        throw new HarError('is not a HAR file: it must have an array log.entries, and has none');
      if (count === 0) throw new HarError('holds no exchange: its log.entries is empty');
    },
  };
}
