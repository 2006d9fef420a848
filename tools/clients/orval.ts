import { rawJson } from './int64';

/**
 * Makes `JSON.stringify` print a bigint as a number with every digit, where it would throw. This goes for the whole
 * page: a client of orval's leaves no other way.
 */
export function printBigints(): void {
  Object.defineProperty(BigInt.prototype, 'toJSON', {
    configurable: true,
    value(this: bigint) {
      return rawJson(`${this}`);
    },
  });
}
