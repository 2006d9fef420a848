import { findKeysIn } from '../../common/text/find-keys.ts';
import { Keys, redact } from '../../common/text/redact.ts';
import type { Target } from './target.ts';
import { basicCredentials, createFoldedKeys, createWrongKeys } from './wrong-keys.ts';

/** The key, the values of headers, since a gateway may require a secret there, and the credentials of a forward proxy. */
export type Secrets = Pick<Target, 'apiKey' | 'headers'> & Partial<Pick<Target, 'otherKey' | 'proxySecrets'>>;

const made = new WeakMap<Secrets, Keys>();

/** Returns the secrets of a target and the keys made from its key, which are redacted as `<the key with x after it>`. */
export function keysOf(secrets: Secrets): Keys {
  const keys = made.get(secrets) ?? createKeys(secrets);
  made.set(secrets, keys);
  return keys;
}

/** Maximum number of characters that spell one of a key: three bytes of UTF-8, each percent-encoded twice. */
const WIDEST = 15;

/** Redacts keys in a string, then cuts it. Nothing could recognize half a key, so a string that is kept in part has no keys. */
export function redactAndCut(text: string, longest: number, secrets: Secrets): string {
  const { apiKey, headers, proxySecrets = [] } = secrets;
  const sent = [apiKey, ...Object.values(headers), ...proxySecrets];
  const margin = WIDEST * Math.max(...sent.map(({ length }) => length));
  const redacted = redact(text.slice(0, longest + margin), keysOf(secrets));
  const isWhole = text.length <= longest + margin;
  return redacted.slice(0, isWhole ? longest : Math.min(longest, Math.max(1, redacted.length - margin)));
}

/** Maximum number of characters that a service takes for the scheme of Authorization: it may repeat the rest as the key. */
const MOST_CUT = 12;

/** Minimum length of the end of a key that is redacted, in characters. A shorter one is a part of other words. */
const SHORTEST_END = 6;

/** Returns the ends of a key that a service may repeat which cuts off a fixed number of characters. */
function listEnds(key: string): string[] {
  const cuts = Array.from({ length: MOST_CUT }, (_, index) => key.slice(index + 1));
  return cuts.filter(({ length }) => length >= SHORTEST_END);
}

function createKeys({ apiKey, headers, otherKey = '', proxySecrets = [] }: Secrets) {
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
  return new Keys([apiKey, ...others, ...names.keys(), ...ends], names);
}
