import { expect, test } from 'vitest';
import { Keys } from '../../common/text/redact.ts';
import { Journal } from './journal.ts';

test('without a timeout, waitForRequest waits 5,000 ms', async () => {
  const start = performance.now();
  await expect(new Journal({ journal: 1, secrets: { keys: new Keys() } }).waitForRequest()).rejects.toThrow(
    'within 5000 ms',
  );
  expect(performance.now() - start).toBeGreaterThan(4_990);
});
