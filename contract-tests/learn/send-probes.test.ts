import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFolder } from '../../tools/testing/create-folder.ts';
import { startTestMock } from '../../tools/testing/start-test-mock.ts';
import type { Answer } from '../deployments/deployment.ts';
import { learnFrom } from '../testing/expect-learned.ts';
import { createTarget, runCommand, startForTest } from '../testing/run-suite.ts';
import { Run } from '../vocabulary/context.ts';
import { sendProbes } from './send-probes.ts';

test('learning sends a few requests that read, and two POSTs only if the run may write, with the category of the user', async () => {
  const { url: baseUrl } = await startTestMock();
  const sendFrom = async (allowsWrites: boolean) => {
    const run = new Run(createTarget({ baseUrl, allowsWrites, categoryId: 7n }));
    await sendProbes(run);
    return run.client.journal.map(({ request, status }) => `${request.method} ${request.path} ${status}`);
  };
  const reading = [
    'GET /contract-test-unknown-path 404',
    'GET /contract-test-unknown-path 401',
    'GET /pets/ 404',
    'HEAD /pets 200',
    'OPTIONS /pets 405',
    ...['abc', '2.5', '02', ''].map((limit) => `GET /pets?limit=${limit} 400`),
    'GET /pets?limit=1&limit=2 400',
    'GET /pets?limit=100&status=sold&status=pending 400',
  ];
  const further = 'GET /pets?limit=1&page=2&offset=3&skip=4 200';
  expect(await sendFrom(false)).toEqual([...reading, further]);
  const writing = ['GET /pets?limit=100 200', further, 'POST /pets 201', 'POST /pets 201'];
  expect(await sendFrom(true)).toEqual([...reading, ...writing]);
});

test('a gateway that passes only GET and POST on fails no run that learns', async () => {
  const createAnswer = (): Answer => async (request, asMock) => {
    if (request.method === 'HEAD' || request.path === '/pets/') return 'drop';
    if (request.method !== 'OPTIONS') return asMock(request);
    return { status: 403, headers: { 'content-type': 'text/html' }, body: '<h1>Forbidden</h1>' };
  };
  const url = await startForTest({ createAnswer });
  const file = join(createFolder(), 'learned.json');
  const args = [url, '--only', 'list-pets', '--learn', file];
  const { exitCode } = await runCommand(args, 'test-key');
  expect(exitCode).toBe(0);
  const { observed } = JSON.parse(readFileSync(file, 'utf8'));
  expect(['head', 'trailingSlash', 'allow'].filter((name) => observed.includes(name))).toEqual([]);
});

test('a deployment that does not answer what learning sends is learned all the same', async () => {
  const createAnswer = (): Answer => async (request, asMock) =>
    request.path.includes('unknown-path') ? 'drop' : asMock(request);
  const { observed, unknown } = await learnFrom(await startForTest({ createAnswer }), true, [
    'list-pets/success',
  ]);
  expect([observed.includes('charset'), unknown.unknownPaths]).toEqual([true, 'no response shows it']);
});
