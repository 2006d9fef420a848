/** A source of numbers that gives the same ones again for the same seed. */
export interface Random {
  /** An integer from 0 to `bound - 1`. */
  below(bound: number): number;
  isChance(probability: number): boolean;
  pick<Value>(values: readonly Value[]): Value;
  /** A string whose characters each stand for a byte. */
  bytes(length: number): string;
}

/** Creates the source of the numbers of one item of a run. Source: the generator mulberry32 */
export function createRandom(seed: number, index: number): Random {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)) | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number) => Math.floor(next() * bound);
  return {
    below,
    isChance: (probability) => next() < probability,
    pick: <Value>(values: readonly Value[]) => values[below(values.length)] as Value,
    bytes: (length) => Array.from({ length }, () => String.fromCharCode(below(256))).join(''),
  };
}
