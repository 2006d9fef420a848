import { createHash } from 'node:crypto';
import { REDACTED } from '../text/redact.ts';

const MOST_KEYS = 10_000;

/** Names of the keys in a file, by the order in which they were seen, so that a reader can tell redacted keys apart. */
export class KeyNames {
  readonly #numbers = new Map<string, number>();

  /** Returns `[key]` for the first key, `[key-2]` for the second, and `[key]` again for keys beyond the limit. */
  nameOf(key: string): string {
    const digest = createHash('sha256').update(key).digest('base64');
    const known = this.#numbers.get(digest);
    const isOneTooMany = known === undefined && this.#numbers.size >= MOST_KEYS;
    const number = known ?? (isOneTooMany ? 1 : this.#numbers.size + 1);
    if (!isOneTooMany) this.#numbers.set(digest, number);
    return number === 1 ? REDACTED : `[key-${number}]`;
  }
}
