import { HIDDEN, hideKeys, holdsKey } from '../../common/hide-keys.ts';
import type { ExchangeRequest } from '../exchange.ts';

/** Keeps keys out of what is printed of one request. */
export type Redaction = ReturnType<typeof createRedaction>;

/** The shortest key that is looked for: a shorter one is a part of many words. */
const SHORTEST_KEY = 4;

/** Creates what keeps the keys of a request, and those that are configured, out of what is printed of it. */
export function createRedaction({ target, headers }: ExchangeRequest, apiKeys: readonly string[]) {
  const keys = [...keysOf(headers.authorization), ...apiKeys];
  const isSecret = (text: string) => holdsKey(text, keys);
  return {
    isSecret,
    hideText: (text: string) => (isSecret(text) ? HIDDEN : text),
    /** Path and query, without the parts that hold a key or look as if they did. */
    target: hideParameters(hideKeys(target, keys)),
  };
}

/** What follows the scheme, or all of Authorization when it has none; it may be there twice. */
function keysOf(authorization = ''): string[] {
  return authorization
    .split(',')
    .map((value) => value.trim())
    .map((value) => value.slice(value.indexOf(' ') + 1).trim())
    .filter((key) => key.length >= SHORTEST_KEY);
}

/** Hides parameters whose names say that they hold a key: some send one there, where it does not belong. */
export function hideParameters(target: string): string {
  return target.replaceAll(/([?&])([^=&?]*)=([^&]*)/g, (parameter, mark, name) =>
    /key|token|secret|passw|auth/i.test(name) ? `${mark}${name}=***` : parameter,
  );
}
