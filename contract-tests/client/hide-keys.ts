import { createHideKeys, findKeysIn } from '../../common/text/hide-keys.ts';
import type { Target } from './target.ts';
import { basicCredentials, createFoldedKeys, createWrongKeys } from './wrong-keys.ts';

/** The key, the values of headers, since a gateway may require a secret there, and the credentials of a forward proxy. */
export type Secrets = Pick<Target, 'apiKey' | 'headers'> & Partial<Pick<Target, 'oldKeys' | 'proxySecrets'>>;

/** Functions by target and by its key, which may change during a run. */
const made = new WeakMap<Secrets, Map<string, (text: string) => string>>();

/** Hides the secrets of a target and the keys made from its key: each is replaced by its name, as in `<the key with x after it>`. */
export function hideKeys(text: string, secrets: Secrets): string {
  const byKey = made.get(secrets) ?? new Map();
  const hide = byKey.get(secrets.apiKey) ?? createHide(secrets);
  made.set(secrets, byKey.set(secrets.apiKey, hide));
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

function createHide({ apiKey, headers, oldKeys = [], proxySecrets = [] }: Secrets): (text: string) => string {
  const keys = [apiKey, ...oldKeys];
  const names = new Map([
    ...keys
      .flatMap((key) => [...createWrongKeys(key), ...Object.values(createFoldedKeys(key))])
      .map(({ key, description }) => [key, `<${description}>`] as const),
    ...basicCredentials.map(
      (user) => [Buffer.from(user(apiKey)).toString('base64'), `<${user('the key')} in base64>`] as const,
    ),
  ]);
  const others = [...Object.values(headers).flatMap(findKeysIn), ...proxySecrets];
  return createHideKeys([...keys, ...others, ...names.keys()], names);
}
