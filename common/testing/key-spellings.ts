const encodeBytes = (key: string, encode: (byte: number) => string) =>
  [...Buffer.from(key)].map(encode).join('');

const encodeEach = (key: string, encode: (code: number, char: string) => string) =>
  [...key].map((char) => encode(char.charCodeAt(0), char)).join('');

const hex = (code: number) => code.toString(16).padStart(2, '0');

const entities: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
};

const toBase64 = (text: string, coding: 'base64' | 'base64url' = 'base64') =>
  Buffer.from(text).toString(coding);

/** A key as clients, proxies and servers have been seen to write it, by the name of the spelling. */
export function spellKey(key: string): Readonly<Record<string, string>> {
  const json = JSON.stringify(key).slice(1, -1);
  const percent = encodeURIComponent(key);
  return {
    'as it is': key,
    'as a header carries it': Buffer.from(key).toString('latin1'),
    'in capitals': key.toUpperCase(),
    'percent-encoded': percent,
    'percent-encoded in small letters': percent.toLowerCase(),
    'percent-encoded twice': encodeURIComponent(percent),
    'every byte percent-encoded': encodeBytes(key, (byte) => `%${hex(byte)}`),
    'every byte percent-encoded twice': encodeBytes(key, (byte) => `%25${hex(byte)}`),
    'percent and digits percent-encoded': encodeURIComponent(percent).replaceAll(/[0-9]/g, '%3$&'),
    'one byte percent-encoded': `${key.slice(0, 2)}%${hex(key.charCodeAt(2))}${key.slice(3)}`,
    'of a form': String(new URLSearchParams({ '': key })).slice(1),
    'of JSON': json,
    'of JSON in PHP': json.replaceAll('/', '\\/'),
    'of JSON in JSON': JSON.stringify(json).slice(1, -1),
    'of JSON with numbers': encodeEach(key, (code) => `\\u${code.toString(16).padStart(4, '0')}`),
    'of JSON with a number': `${key.slice(0, 3)}\\u00${hex(key.charCodeAt(3)).toUpperCase()}${key.slice(4)}`,
    'of JavaScript': encodeEach(key, (code, char) => (code < 256 ? `\\x${hex(code)}` : char)),
    'of HTML': encodeEach(key, (_, char) => (entities[char] ? `&${entities[char]};` : char)),
    'of HTML with hexadecimal numbers': encodeEach(key, (code) => `&#x${hex(code).toUpperCase()};`),
    'of HTML with decimal numbers': encodeEach(key, (code) => `&#0${code};`),
    'of HTML twice': encodeEach(key, (code) => `&amp;#${code};`),
    'percent-encoded JSON': encodeURIComponent(json),
    base64: toBase64(key),
    'base64 without padding': toBase64(key).replaceAll('=', ''),
    base64url: toBase64(key, 'base64url'),
    'base64 of a user with it': toBase64(`user:${key}`),
    'base64 of it as a user': toBase64(`${key}:`),
    'base64 with Bearer': toBase64(`Bearer ${key}`),
    'base64url in JSON': toBase64(`{"key":"${key}"}`, 'base64url'),
    'percent-encoded base64': encodeURIComponent(toBase64(`u:${key}`)),
    hex: Buffer.from(key).toString('hex'),
    'hex in capitals': Buffer.from(key).toString('hex').toUpperCase(),
  };
}

/** The spellings of a key that are in a text. */
export function findSpellings(text: string, key: string): string[] {
  const folded = text.toLowerCase();
  return Object.entries(spellKey(key))
    .filter(([, spelling]) => folded.includes(spelling.toLowerCase()))
    .map(([name]) => name);
}
