import { hasFraction, limitLevels, readInteger } from '../../common/json/exact-json.ts';

/** A number with a fraction that a double rounds to an integer, such as 7.00000000000000000001. Its text has all digits. */
export class RoundedFraction {
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  toString(): string {
    return this.#source;
  }
}

/**
 * Parses JSON as `parseExactJson` does, but makes a `RoundedFraction` of each fraction that a double rounds to an integer.
 * @throws SyntaxError for malformed JSON, and for JSON that is nested too deeply.
 */
export function parseExactFractions(json: string): unknown {
  return limitLevels(() => JSON.parse(json, keepFractionsExact));
}

/** Returns whether a number in JSON has a fraction that a double rounds to an integer: the digits decide what is an integer. */
export function isRoundedFraction(source: string): boolean {
  return Number.isInteger(Number(source)) && hasFraction(source);
}

function keepFractionsExact(_key: string, value: unknown, { source }: { source?: string }): unknown {
  if (typeof value !== 'number' || source === undefined) return value;
  return readInteger(source) ?? (isRoundedFraction(source) ? new RoundedFraction(source) : value);
}
