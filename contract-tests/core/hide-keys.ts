import { createHideKeys, findKeysIn, HIDDEN } from '../../common/hide-keys.ts';
import type { Target } from './target.ts';
import { basicCredentials, createWrongKeys } from './wrong-keys.ts';

/** What is never printed: the key, and the values of headers, since a gateway may want a secret there. */
export type Secrets = Pick<Target, 'apiKey' | 'headers'>;

/** What hides the secrets of each target. */
const made = new WeakMap<Secrets, (text: string) => string>();

/** Hides a key and what is made of it: each wrong key says what it is, as in `<the key without its last letter>`. */
export function hideKeys(text: string, secrets: Secrets): string {
  const hide = made.get(secrets) ?? createHide(secrets);
  made.set(secrets, hide);
  return hide(text);
}

/** How many characters one of a key may take, as it may be escaped. */
const WIDEST = 12;

/** Hides keys in a text, then cuts it. What is cut off may begin with half a key, which nobody could recognise. */
export function hideAndCut(text: string, longest: number, secrets: Secrets): string {
  const keys = [secrets.apiKey, ...Object.values(secrets.headers)];
  const margin = WIDEST * Math.max(...keys.map(({ length }) => length));
  const hidden = hideKeys(text.slice(0, longest + margin), secrets);
  const isWhole = text.length <= longest + margin;
  return hidden.slice(0, isWhole ? longest : Math.min(longest, Math.max(1, hidden.length - margin)));
}

function createHide({ apiKey, headers }: Secrets): (text: string) => string {
  const secrets = [apiKey, ...Object.values(headers).flatMap(findKeysIn)];
  const hide = createHideKeys(secrets.flatMap(withWrongKeys));
  // The longest first, since others may be a part of it; a key that is too short to be hidden is not named either.
  const named = nameKeys(apiKey)
    .filter(({ key }) => hide(key) !== key)
    .toSorted((one, other) => other.key.length - one.key.length);
  return (text) => hide(named.reduce((rest, { key, name }) => rest.replaceAll(key, name), text));
}

/** Keys, to the letter, and what they are. */
function nameKeys(apiKey: string): { readonly key: string; readonly name: string }[] {
  return [
    { key: apiKey, name: HIDDEN },
    ...createWrongKeys(apiKey).map(({ key, description }) => ({ key, name: `<${description}>` })),
    ...basicCredentials.map((user) => ({
      key: Buffer.from(user(apiKey)).toString('base64'),
      name: `<${user('the key')} in base64>`,
    })),
  ];
}

/** A secret, and those that lack a letter or have another one. */
function withWrongKeys(secret: string): string[] {
  return [secret, secret.slice(0, -1), secret.slice(1), ...createWrongKeys(secret).map(({ key }) => key)];
}
