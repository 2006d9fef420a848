import { createHideKeys, findKeysIn } from '../../common/text/hide-keys.ts';
import type { Target } from './target.ts';
import { basicCredentials, createFoldedKeys, createWrongKeys } from './wrong-keys.ts';

/** The key, the values of headers, since a gateway may require a secret there, and the credentials of a forward proxy. */
export type Secrets = Pick<Target, 'apiKey' | 'headers'> & Partial<Pick<Target, 'otherKey' | 'proxySecrets'>>;

const made = new WeakMap<Secrets, (text: string) => string>();

/** Hides the secrets of a target and the keys made from its key: each is replaced by its name, as in `<the key with x after it>`. */
export function hideKeys(text: string, secrets: Secrets): string {
  const hide = made.get(secrets) ?? createHide(secrets);
  made.set(secrets, hide);
  return hide(text);
}

/** Maximum number of characters that spell one of a key: three bytes of UTF-8, each percent-encoded twice. */
const WIDEST = 15;

/** Hides keys in a string, then cuts it. The cut-off part may begin with half a key, which nothing could recognise. */
export function hideAndCut(text: string, longest: number, secrets: Secrets): string {
  const { apiKey, headers, proxySecrets = [] } = secrets;
  const keys = [apiKey, ...Object.values(headers), ...proxySecrets];
  const margin = WIDEST * Math.max(...keys.map(({ length }) => length));
  const hidden = hideKeys(text.slice(0, longest + margin), secrets);
  const isWhole = text.length <= longest + margin;
  return hidden.slice(0, isWhole ? longest : Math.min(longest, Math.max(1, hidden.length - margin)));
}

/** Maximum number of characters that a service takes for the scheme of Authorization: it may repeat the rest as the key. */
const MOST_CUT = 12;

/** Minimum length of the end of a key that is hidden, in characters. A shorter one is a part of other words. */
const SHORTEST_END = 6;

/** Returns the ends of a key that a service may repeat which cuts off a fixed number of characters. */
function listEnds(key: string): string[] {
  const cuts = Array.from({ length: MOST_CUT }, (_, index) => key.slice(index + 1));
  return cuts.filter(({ length }) => length >= SHORTEST_END);
}

function createHide({ apiKey, headers, otherKey = '', proxySecrets = [] }: Secrets) {
  const names = new Map([
    [otherKey, '<another key of the same form>'] as const,
    ...[...createWrongKeys(apiKey), ...Object.values(createFoldedKeys(apiKey, otherKey))].map(
      ({ key, description }) => [key, `<${description}>`] as const,
    ),
    ...basicCredentials.map(
      (user) => [Buffer.from(user(apiKey)).toString('base64'), `<${user('the key')} in base64>`] as const,
    ),
  ]);
  const others = [...Object.values(headers).flatMap(findKeysIn), ...proxySecrets];
  const ends = [apiKey, ...names.keys()].flatMap(listEnds);
  return createHideKeys([apiKey, ...others, ...names.keys(), ...ends], names);
}
