import type { Target } from './target.ts';
import { basicCredentials, createWrongKeys } from './wrong-keys.ts';

/** What is never printed: the key, and the values of headers, since a gateway may want a secret there. */
export type Secrets = Pick<Target, 'apiKey' | 'headers'>;

/** What stands where the right key was. */
const HIDDEN = '[key]';

/** The shortest key that is hidden, in characters: a shorter one is not a secret, and is a part of many words. */
const SHORTEST_SECRET = 4;

/** Hides a key and what is made of it: each wrong key says what it is, as in `<the key without its last letter>`. */
export function hideKeys(text: string, { apiKey, headers }: Secrets): string {
  return [apiKey, ...Object.values(headers)]
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .reduce(hideSecret, nameKeys(text, apiKey));
}

/** Replaces keys, to the letter, by what they are; the longest first, since others may be a part of it. */
function nameKeys(text: string, apiKey: string): string {
  const all = [
    { key: apiKey, name: HIDDEN },
    ...createWrongKeys(apiKey).map(({ key, description }) => ({ key, name: `<${description}>` })),
    ...basicCredentials.map((user) => ({
      key: toBase64(user(apiKey)),
      name: `<${user('the key')} in base64>`,
    })),
  ];
  return all
    .filter(({ key }) => key.length >= SHORTEST_SECRET)
    .toSorted((one, other) => other.key.length - one.key.length)
    .reduce((named, { key, name }) => named.replaceAll(key, name), text);
}

/** Hides a secret in any case, encoded, or without the letter at either end. */
function hideSecret(text: string, secret: string): string {
  const spellings = [
    ...basicCredentials.map((user) => toBase64(user(secret))),
    toBase64(`Bearer ${secret}`),
    toBase64(secret),
    Buffer.from(secret).toString('hex'),
    encodeURIComponent(secret),
    secret,
    ...createWrongKeys(secret).map(({ key }) => key),
    ...(secret.length > SHORTEST_SECRET ? [secret.slice(0, -1), secret.slice(1)] : []),
  ];
  const isHidden = (spelling: string) => spelling.length >= SHORTEST_SECRET;
  return spellings.filter(isHidden).reduce((hidden, spelling) => {
    const pattern = spelling.replaceAll(/[^\w\s]/g, '\\$&');
    return hidden.replaceAll(new RegExp(pattern, 'gi'), HIDDEN);
  }, text);
}

function toBase64(text: string): string {
  return Buffer.from(text).toString('base64');
}
