import { REDACTED } from '../text/redact.ts';

/** Names of the keys in a file, by the order in which they were seen, so that a reader can tell redacted keys apart. */
export class KeyNames {
  readonly #numbers = new Map<string, number>();

  /** Returns `[key]` for the first key, and `[key-2]` for the second. */
  nameOf(key: string): string {
    const number = this.#numbers.get(key) ?? this.#numbers.size + 1;
    this.#numbers.set(key, number);
    return number === 1 ? REDACTED : `[key-${number}]`;
  }
}
