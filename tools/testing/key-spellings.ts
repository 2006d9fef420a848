const toBase64 = (text: string) => Buffer.from(text).toString('base64');

/** Writes every character that is no letter, no digit and no part of a surrogate pair. */
const replaceSigns = (key: string, write: (code: number) => string) =>
  key.replaceAll(/[^\w\ud800-\udfff]/g, (char) => write(char.charCodeAt(0)));

const toHex = (code: number, length = 2) => code.toString(16).padStart(length, '0');

const named: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Spells a key as clients, proxies and servers do, by the name of the spelling. */
export function spellKey(key: string): Readonly<Record<string, string>> {
  return {
    'as it is': key,
    'percent-encoded': encodeURIComponent(key),
    // As .NET does.
    'percent-encoded in lower case': encodeURIComponent(key).replaceAll(/%../g, (code) => code.toLowerCase()),
    // As an address in a parameter of an address.
    'percent-encoded twice': encodeURIComponent(encodeURIComponent(key)),
    'of HTML': key.replaceAll(/[&<>"']/g, (char) => named[char] ?? char),
    // As templates of Go do.
    'of HTML in decimal': replaceSigns(key, (code) => `&#${code};`),
    // As .NET and Handlebars do.
    'of HTML in hex': replaceSigns(key, (code) => `&#x${toHex(code).toUpperCase()};`),
    // As .NET does in JSON, and Gson in small letters.
    'of JavaScript': replaceSigns(key, (code) => `\\u${toHex(code, 4).toUpperCase()}`),
    'of JavaScript in lower case': replaceSigns(key, (code) => `\\u${toHex(code, 4)}`),
    'of JSON': JSON.stringify(key).slice(1, -1),
    'of JSON in PHP': JSON.stringify(key).slice(1, -1).replaceAll('/', '\\/'),
    base64: toBase64(key),
    base64url: Buffer.from(`${key}:`).toString('base64url'),
    'base64 without padding': toBase64(key).replaceAll('=', ''),
    'base64 of a user with it': toBase64(`user:${key}`),
    'base64 of it as a user': toBase64(`${key}:`),
    'base64 with Bearer': toBase64(`Bearer ${key}`),
    'base64 of JSON': toBase64(`{"key":"${key}"}`),
  };
}

/** Returns the names of the spellings of a key that are in a text. */
export function findSpellings(text: string, key: string): string[] {
  return Object.entries(spellKey(key)).flatMap(([name, spelling]) => (text.includes(spelling) ? name : []));
}
