import { expect, test } from 'vitest';
import { Turns } from './turns.ts';

/** How long the tenth request of an operation waits, in ms. */
function waitOfTenth(turns: Turns, operation: string): number {
  const waits = Array.from({ length: 10 }, () => turns.take(operation));
  return waits.at(-1) ?? 0;
}

test.for<[what: string, namesTime: boolean, refusals: number, own: boolean, others: boolean]>([
  ['no request', true, 0, false, false],
  ['one request', true, 1, false, false],
  ['a request twice', true, 2, true, false],
  ['one request and names no time', false, 1, true, true],
])('a service that refuses %s slows its operation or all', ([, namesTime, refusals, own, others]) => {
  const turns = new Turns(Number.POSITIVE_INFINITY);
  for (let count = 0; count < refusals; count += 1)
    turns.noteRefusal('GET /pets', 0, { namesTime, isFirst: count === 0 });
  const isSlow = (operation: string) => waitOfTenth(turns, operation) > 100;
  expect([isSlow('POST /pets'), isSlow('GET /pets')]).toEqual([others, own]);
});
