import { expect, onTestFinished, test } from 'vitest';
import { startCheckedProxy } from './index.ts';
import { answerJson, startUpstream } from './testing/start-upstream.ts';

test('requests that arrive while Prism loads wait for it, and all of them are checked', async () => {
  const upstream = await startUpstream(answerJson());
  const proxy = await startCheckedProxy({ upstream });
  onTestFinished(() => proxy.close());
  const answers = await Promise.all([1, 2, 3].map(() => fetch(`${proxy.url}/pets`)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const { exchanges, violations } = proxy.readFindings();
  expect(exchanges).toBe(3);
  expect(violations).toContainEqual(expect.objectContaining({ rule: 'missing-key', count: 3 }));
});
