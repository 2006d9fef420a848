/** An escape of percent-encoding, of HTML, or of JSON and JavaScript. */
const ESCAPE = /%[0-9a-f]{2}|&(?:#\d{1,7}|#x[0-9a-f]{1,6}|amp|lt|gt|quot|apos);|\\(?:u[0-9a-f]{4}|["\\/])/gi;

/** Maximum number of times that a text is decoded: a gateway may escape what a service has escaped. */
const MOST_ROUNDS = 4;

const HIGHEST_CODE_POINT = 0x10ffff;

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

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
