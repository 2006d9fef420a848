import { expect, test } from 'vitest';
import { Journal } from './journal.ts';
import { JournalBudget, LARGEST_JOURNALS } from './journal-budget.ts';

test('without a timeout, waitForRequest waits 5,000 ms', async () => {
  const start = performance.now();
  await expect(new Journal(1, () => []).waitForRequest()).rejects.toThrow('within 5000 ms');
  expect(performance.now() - start).toBeGreaterThan(4_990);
});

test('URLs and headers count in the budget', () => {
  const budget = new JournalBudget();
  const [one, other] = [new Journal(10_000, () => [], budget), new Journal(10_000, () => [], budget)];
  const text = 'x'.repeat(7_000);
  const recorded = {
    ...{ id: 0, ms: 0, operation: undefined, method: 'GET', url: `/v1/pets?x=${text}`, status: 200 },
    ...{ headers: { 'x-filler': text }, body: undefined, bodyState: undefined, error: undefined },
  } as const;
  const count = 8_400;
  for (let time = 0; time < count; time += 1) {
    const answer = { headers: { 'X-Answer': text }, body: 'x' };
    (time % 2 ? one : other).record({ ...recorded, answer, time: new Date(time) });
  }
  for (const journal of [one, other]) {
    const kept = journal.requests();
    // Of about 21,000 characters each.
    expect(kept.length).toBeLessThan(LARGEST_JOURNALS / 2 / 21_000);
    expect(kept.length).toBeGreaterThan(LARGEST_JOURNALS / 2 / 22_000);
    expect(kept.at(-1)?.time.getTime()).toBeGreaterThan(count - 3);
    expect(journal.countRequests()).toBe(count / 2);
  }
});
