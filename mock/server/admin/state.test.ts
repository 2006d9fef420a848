import { expect, test } from 'vitest';
import { get, post, send } from '../../../tools/testing/http-case.ts';
import { startTestMock } from '../../../tools/testing/start-test-mock.ts';
import { sendAdmin } from '../../testing/send-admin.ts';

test('the state has the latest and the oldest entries, and its version changes with everything else', async () => {
  const mock = await startTestMock({ animals: 3, journal: 3, checkedProxy: true });
  const read = async () => Object((await sendAdmin(mock.url, ['GET', '/state'])).body);
  for (let count = 0; count < 5; count += 1) await send(mock.url, post('/v1/pets', '{'));
  for (let count = 0; count < 2; count += 1) await send(mock.checkedUrl as string, get('/v1/pets?limit=0'));
  await expect.poll(() => mock.violations().length).toBe(2);
  const counts = { lastRequest: 7n, lastViolation: 2n };
  const before = await read();
  expect(before).toMatchObject({ ...counts, oldestViolation: 1n, oldestRequest: 5n });
  const versions = [before.version];
  for (const change of [
    () => mock.animals.remove(1),
    () => mock.faults.add({ status: 500 }),
    () => mock.configure({ apiKeys: ['another-key'] }),
    () => mock.snapshot('a'),
    () => mock.clearRequests({ until: 5 }),
    () => mock.clearViolations({ until: 1 }),
    () => mock.reset(),
    () => mock.animals.remove(1),
    () => mock.reset(),
    // As many changes as before the second reset, but another animal is missing.
    () => mock.animals.remove(2),
  ]) {
    change();
    versions.push((await read()).version);
  }
  expect(new Set(versions).size).toBe(versions.length);
  expect(await read()).toMatchObject({ ...counts, oldestViolation: 3n, oldestRequest: 8n });
});

test('the state counts the requests of the mock and of each session', async () => {
  const mock = await startTestMock();
  await send(mock.url, get('/v1/pets'));
  await send(mock.url, get('/sessions/w1/v1/pets'));
  await send(mock.url, get('/v1/pets?limit=2'));
  const { body } = await sendAdmin(mock.url, ['GET', '/state']);
  expect(body).toMatchObject({ sessions: [{ requests: 2n }, { name: 'w1', requests: 1n }] });
});
