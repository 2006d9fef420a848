import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { startCheckedProxy } from './index.ts';

test.for<[options: object, message: string]>([
  [{ port: '4011' }, 'port must be an integer from 0 to 65535, not "4011"'],
  [{ upstraem: 'http://127.0.0.1:9/v1' }, 'there is no option upstraem. Did you mean upstream?'],
  [{ apiKeys: 'a-key' }, 'apiKeys must be an array of strings'],
  [{ ca: 5 }, 'ca must be in PEM'],
  [{ upstream: 'http://me:hunter2@a/v1' }, 'upstream must not contain credentials: leave out the part'],
  [{ upstream: 'http://me:hunter2@a:x/v1' }, 'upstream must be a URL such as https://staging.example/v1'],
])('%j is refused, without passwords and keys', async ([options, message]) => {
  const upstream = 'http://127.0.0.1:9/v1';
  const error = await startCheckedProxy({ upstream, ...options }).catch((failure) => failure);
  expect(error.message).toContain(message);
  expect(inspect(error)).not.toMatch(/hunter2|a-key/);
});
