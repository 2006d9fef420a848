import { expect, onTestFinished, test } from 'vitest';
import { startTestMock } from '../../tools/testing/start-test-mock.ts';
import { launchMock } from '../launch-mock.ts';
import { resolveMockOptions } from '../options.ts';
import { EffectCounts } from './count-effects.ts';

const headers = { Authorization: 'Bearer test-key', 'Content-Type': 'application/json' };

test('the values that would change most responses come first, and nothing is changed', async () => {
  const mock = await startTestMock({ animals: 20 });
  const found = await mock.findActingValues(async () => {
    for (const path of ['/pets', '/pets', '/pets/1']) await fetch(mock.url + path, { headers });
  });
  const counts = found.map(({ choice, value, responses }) => `${choice} ${value}: ${responses}`);
  expect(counts).toContain('charset utf-8: 3');
  expect(counts).toEqual(
    expect.arrayContaining(['order oldest: 2', 'pageSize 7: 2', 'deprecationHeaders none: 1']),
  );
  const sizes = found.map(({ responses }) => responses);
  expect(sizes).toEqual(sizes.toSorted((one, other) => other - one));
  expect(found.find(({ choice }) => choice === 'charset')?.behaviour).toEqual({ charset: 'utf-8' });
});

test('a value for new animals acts on the request that adds one, and the delay of lists on the next list', async () => {
  const mock = await startTestMock({ animals: 1, seed: 7 });
  const add = () =>
    fetch(`${mock.url}/pets`, { method: 'POST', headers, body: '{"name":"Zoe","categoryId":1}' });
  const whileAdding = await mock.findActingValues(add);
  const names = new Set(whileAdding.map(({ choice }) => choice));
  expect([names.has('ids'), names.has('location'), names.has('listDelay')]).toEqual([true, true, false]);
  const { id } = mock.animals.all().at(-1) ?? {};
  expect([mock.animals.size, id]).toEqual([2, 2n]);
  const whileListing = await mock.findActingValues(async () => {
    await add();
    await fetch(`${mock.url}/pets`, { headers });
  });
  expect(whileListing).toContainEqual({
    choice: 'listDelay',
    value: 1500,
    behaviour: { listDelay: 1500 },
    responses: 1,
  });
});

test('requests that a fault answers, or that come while another behaviour is set, do not count', async () => {
  const mock = await startTestMock();
  const get = () => fetch(`${mock.url}/pets`, { headers });
  mock.faults.add({ status: 500, times: 1 });
  expect(await mock.findActingValues(get)).toEqual([]);
  mock.configure({ behaviour: 'strict' });
  expect(await mock.findActingValues(get)).toEqual([]);
  mock.reset();
  expect(await mock.findActingValues(get)).not.toEqual([]);
});

test('while behaviours are tried, the requests of each session count, also before a reset, and none with another behaviour', async () => {
  const effects = new EffectCounts();
  const config = resolveMockOptions({ port: 0, log: 'silent', checkedProxy: false });
  const { mock, close } = await launchMock(config, { effects });
  onTestFinished(() => void close());
  await fetch(`${mock.session('w1').url}/pets`, { headers });
  mock.endSession('w1');
  mock.reset();
  mock.configure({ behaviour: 'strict' });
  await fetch(`${mock.url}/pets/none`, { headers });
  const acting = effects.list().map(({ choice }) => choice);
  expect(acting).toContain('order');
  // It would have changed the response to the second request.
  expect(acting).not.toContain('errorMembers');
});
