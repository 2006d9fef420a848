// With the tarball of docs/guides/install.md: npm install ./animal-store-mock-0.1.0.tgz && npm run try
import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { add, findLatest, hasMore, isStatus } from './app.mjs';

test('a new animal is new, and the latest one', async () => {
  const { id, status } = await add('Zoe');
  equal(status, 'new');
  equal(await findLatest(), id);
});

test('there is another page', async () => {
  equal(await hasMore(), true);
});

test('a status that nobody knows is none', async () => {
  equal(await isStatus('sold'), true);
  equal(await isStatus('lost'), false);
});
