const toBase64 = (text: string) => Buffer.from(text).toString('base64');

/** Spells a key as clients, proxies and servers do, by the name of the spelling. */
export function spellKey(key: string): Readonly<Record<string, string>> {
  return {
    'as it is': key,
    'percent-encoded': encodeURIComponent(key),
    'of JSON': JSON.stringify(key).slice(1, -1),
    'of JSON in PHP': JSON.stringify(key).slice(1, -1).replaceAll('/', '\\/'),
    base64: toBase64(key),
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
