import { expect, test } from 'vitest';
import { Exchange } from '../client/exchange.ts';
import { History } from '../history/history.ts';
import { createEvidence } from '../runner/judge.ts';
import { createTarget } from '../testing/run-suite.ts';
import { lookForCarriedOver } from './carried-over.ts';
import { isSighting } from './rule.ts';

const animals = Array.from({ length: 12 }, (_, index) => {
  return { id: 12 - index, name: 'Rex', categoryId: 1, status: index % 2 === 0 ? 'sold' : 'pending' };
});
const sold = animals.filter(({ status }) => status === 'sold');

/** So long after each other, in ms, that no list lags behind. */
const MINUTE = 60_000;

/** Creates what a run has seen of lists, each of which was requested after the one before. */
function see(...lists: readonly (readonly [query: string, shown: readonly object[]])[]) {
  const target = createTarget();
  const history = new History(target, 'mark');
  for (const [index, [query, shown]] of lists.entries()) {
    const request = {
      method: 'GET',
      base: target.baseUrl,
      path: `/pets?${query}`,
      isAuthorized: true,
    } as const;
    const headers = { Authorization: `Bearer ${target.apiKey}` };
    const body = Buffer.from(JSON.stringify(shown));
    const response = { status: 200, headers: { 'content-type': 'application/json' }, body };
    const sent = { response, failure: undefined };
    history.record(
      new Exchange({ ...request, headers, body: undefined }, sent, target, index * MINUTE, 5, index + 1),
    );
  }
  return createEvidence(history);
}

test.for<[what: string, lengths: readonly number[], found: number]>([
  ['has each limit of the list before it', [5, 3], 2],
  // A filter after the limit leaves any number of animals, sometimes as many as the limit before.
  ['has another length too', [5, 4], 0],
])('a list that lacks animals, and %s', ([, [first = 0, second = 0], found]) => {
  const evidence = see(
    ...[['limit=100', animals] as const, ['limit=20&status=sold', sold] as const],
    ...[['limit=5', animals.slice(0, 5)] as const, ['limit=20&status=sold', sold.slice(0, first)] as const],
    ...[['limit=3', animals.slice(0, 3)] as const, ['limit=20&status=sold', sold.slice(0, second)] as const],
    ['limit=100', animals],
  );
  expect(lookForCarriedOver(evidence).filter(isSighting)).toHaveLength(found);
});
