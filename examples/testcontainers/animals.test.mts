// A test that starts the mock in Docker with Testcontainers. Compiled here, but not run, because there was no Docker.
import { equal } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type MockContainer, startMockContainer } from './start-mock-container.mts';

let mock: MockContainer | undefined;

before(async () => {
  mock = await startMockContainer();
});

after(() => mock?.container.stop());

test('the list has at most as many animals as its limit', async () => {
  const headers = { Authorization: 'Bearer test-key' };
  const response = await fetch(`${mock?.url}/pets?limit=2`, { headers });
  equal(((await response.json()) as unknown[]).length, 2);
});
