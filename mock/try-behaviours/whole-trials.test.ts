import { join } from 'node:path';
import { expect, test } from 'vitest';

import { createFolder } from '../../tools/testing/create-folder.ts';

import { listFound, tryScript } from '../testing/try-script.ts';
import { printTrial } from './try-behaviours.ts';

const create = `const create = () => fetch(process.env.ANIMAL_STORE_URL + '/pets', { method: 'POST', body: '{"name":"Zoe","categoryId":1}',
  headers: { Authorization: 'Bearer ' + process.env.ANIMAL_STORE_API_KEY, 'Content-Type': 'application/json' } });`;

test.for<[string, script: string, found: readonly string[]]>([
  [
    'a location hides a charset',
    `${create} const { headers } = await create();
    if (headers.get('location') === null && headers.get('content-type') !== 'application/json') throw 'type';`,
    ['charset: utf-8'],
  ],
  [
    'a short page hides an order',
    `const names = (await list()).map(({ name }) => name);
    if (names.length === 20 && names.join() === names.toSorted().join()) throw 'sorted';`,
    ['order: name'],
  ],
])('where %s, the value is found', async ([, script, found]) => {
  const { result } = await tryScript(script, 80);
  expect(listFound(result)).toEqual(found);
  expect(result).toMatchObject({ endedBy: 'end', untested: [], flakyRuns: 0 });
});

test('a command that touches few choices takes at most 40 runs, where all of their values break it', async () => {
  const whole = `const all = await list();
    if (all.length !== 20 || all[0].id !== 120 || all.some((one) => Object.keys(one).length > 4)) throw 'list';
    ${create} const response = await create();
    if (response.headers.get('location') !== null) throw 'location';
    if ('status' in (await response.json())) throw 'status';`;
  const { result } = await tryScript(whole, 80);
  expect(result.runs).toBeLessThanOrEqual(40);
  expect(listFound(result)).toEqual([
    ...['order: oldest', 'order: name', 'order: random'],
    ...['statusWhenOmitted: available', 'statusWhenOmitted: pending', 'statusWhenOmitted: sold'],
    ...[
      'pageSize: 7',
      'pageSize: 1',
      'animalMembers: createdAt',
      'animalMembers: links',
      'location: present',
    ],
  ]);
});

test('a run that fails before it has seen a value is no cause, and the runs are counted', async () => {
  const file = join(createFolder(), 'runs');
  const count = `const { appendFileSync, readFileSync } = process.getBuiltinModule('node:fs');
    appendFileSync(${JSON.stringify(file)}, '.'); const runs = readFileSync(${JSON.stringify(file)}).length;`;
  const { result } = await tryScript(
    `${count} if (runs === 4 || runs === 9) throw 'flaky'; await list();`,
    80,
  );
  expect(result).toMatchObject({ causes: [], combinations: [], untested: [], flakyRuns: 2, endedBy: 'end' });
  expect(printTrial(result)).toContain(
    '\n2 runs failed for another reason. Some of the tests are not stable.\n',
  );
});

test('a reset, and the end of a session, keep what has acted', async () => {
  const script = `const base = process.env.ANIMAL_STORE_URL;
    const admin = (method, path) => fetch(base.replace('/v1', path), { method });
    const [{ id }] = await list(base.replace('/v1', '/sessions/w1/v1'));
    await admin('DELETE', '/__admin/sessions/w1');
    await admin('POST', '/__admin/reset');
    if (id === 1) throw id;`;
  const { result } = await tryScript(script, 80);
  expect(listFound(result)).toEqual(['order: oldest']);
});
