/** An escape of percent-encoding, of HTML, or of JSON and JavaScript. */
const ESCAPE = /%[0-9a-f]{2}|&(?:#\d{1,7}|#x[0-9a-f]{1,6}|amp|lt|gt|quot|apos);|\\(?:u[0-9a-f]{4}|["\\/])/gi;

/** Maximum number of times that a text is decoded: a gateway may escape what a service has escaped. */
const MOST_ROUNDS = 4;

const HIGHEST_CODE_POINT = 0x10ffff;

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

interface DecodedText {
  readonly decoded: string;
  /** Start of each character in the original text, and the length of the original text at the end. */
  readonly positions: Uint32Array;
}

/**
 * Decodes escapes in a text, also escaped ones: percent-encoding in any case, HTML entities, `\u002b` and escapes of JSON. A
 * percent-encoded byte becomes a character of Latin-1. It takes linear time.
 */
export function decodeEscapes(text: string): string {
  let decoded = text;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const next = decoded.replaceAll(ESCAPE, decodeEscape);
    if (next === decoded) break;
    decoded = next;
  }
  return decoded;
}

/** Decodes a text as `decodeEscapes` does, and says where its characters were. It takes longer. */
export function locateDecoded(text: string): DecodedText {
  let decoded = text;
  const positions = new Uint32Array(text.length + 1);
  for (let index = 0; index <= text.length; index += 1) positions[index] = index;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const next = decodeOnce(decoded, positions);
    if (next === decoded) break;
    decoded = next;
  }
  return { decoded, positions: positions.subarray(0, decoded.length + 1) };
}

/** Decodes a text, and moves the positions of its characters to the front. No character is longer than its escape. */
function decodeOnce(text: string, positions: Uint32Array): string {
  let moved = 0;
  let read = 0;
  const moveUntil = (end: number) => {
    positions.copyWithin(moved, read, end);
    moved += end - read;
    read = end;
  };
  const decoded = text.replaceAll(ESCAPE, (found, start: number) => {
    moveUntil(start);
    const char = decodeEscape(found);
    // A character may be a surrogate pair.
    positions.fill(positions[start] ?? 0, moved, moved + char.length);
    moved += char.length;
    read = start + found.length;
    return char;
  });
  moveUntil(text.length + 1);
  return decoded;
}

function decodeEscape(text: string): string {
  if (text.startsWith('%')) return String.fromCharCode(Number.parseInt(text.slice(1), 16));
  if (text.startsWith('&')) return decodeEntity(text.slice(1, -1).toLowerCase()) ?? text;
  const isUnit = text.length > 2;
  return isUnit ? String.fromCharCode(Number.parseInt(text.slice(2), 16)) : text.slice(1);
}

function decodeEntity(name: string): string | undefined {
  if (!name.startsWith('#')) return entities[name];
  const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code <= HIGHEST_CODE_POINT ? String.fromCodePoint(code) : undefined;
}
