const toBase64 = (text: string, coding: 'base64' | 'base64url' = 'base64') =>
  Buffer.from(text).toString(coding);

/** Spells a key as clients, proxies and servers do, by the name of the spelling. */
export function spellKey(key: string): Readonly<Record<string, string>> {
  const json = JSON.stringify(key).slice(1, -1);
  const percent = encodeURIComponent(key);
  const toLower = (byte: string) => byte.toLowerCase();
  const toNumber = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return {
    'as it is': key,
    'percent-encoded': percent,
    'percent-encoded in small letters': percent.replaceAll(/%../g, toLower),
    'of a form': String(new URLSearchParams({ '': key })).slice(1),
    'of JSON': json,
    'of JSON in PHP': json.replaceAll('/', '\\/'),
    'of JSON in ASCII': json.replaceAll(/[^\0-\x7f]/g, toNumber),
    base64: toBase64(key),
    'base64 without padding': toBase64(key).replaceAll('=', ''),
    base64url: toBase64(key, 'base64url'),
    'base64 of a user with it': toBase64(`user:${key}`),
    'base64 of it as a user': toBase64(`${key}:`),
    'base64 with Bearer': toBase64(`Bearer ${key}`),
    'base64url in JSON': toBase64(`{"key":"${key}"}`, 'base64url'),
  };
}

/** Returns the names of the spellings of a key that are in a text. */
export function findSpellings(text: string, key: string): string[] {
  return Object.entries(spellKey(key))
    .filter(([, spelling]) => text.includes(spelling))
    .map(([name]) => name);
}
