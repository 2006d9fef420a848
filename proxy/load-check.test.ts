import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { startCheckedProxy } from './index.ts';
import { answerJson, startUpstream } from './testing/start-upstream.ts';

/** Starts a proxy in another process, sends a request, and prints whether Prism was loaded before and after it. */
const script = `
  import { createRequire } from 'node:module';
  import { startCheckedProxy } from ${JSON.stringify(new URL('index.ts', import.meta.url).href)};
  const { cache } = createRequire(import.meta.url);
  const isLoaded = () => Object.keys(cache).some((file) => file.includes('prism-http'));
  const proxy = await startCheckedProxy({ upstream: process.argv[1] });
  const before = isLoaded();
  await fetch(proxy.url + '/pets');
  console.log(before, isLoaded());
  await proxy.close();`;

test('a proxy loads Prism with its first request, so that it starts quickly', async () => {
  const upstream = await startUpstream(answerJson());
  const argv = ['--input-type=module', '--eval', script, upstream];
  const { stdout } = await promisify(execFile)(process.execPath, argv);
  expect(stdout).toBe('false true\n');
});

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
