import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFolder } from '../../tools/testing/create-folder.ts';
import { brokenDeployments } from '../deployments/broken-deployments.ts';
import { createAnimals, createStoreAnswer } from '../deployments/conforming/store-behaviour.ts';
import type { Answer } from '../deployments/deployment.ts';
import { isFetch } from '../deployments/messages.ts';
import { REMOVAL } from '../history/removal.ts';
import { startForTest } from '../testing/run-suite.ts';
import { runToEnd } from '../testing/run-to-end.ts';

const dredd = join(import.meta.dirname, '../../node_modules/dredd/bin/dredd');
const ANIMAL_STORE_API_KEY = 'test-key-of-dredd';

interface Options {
  readonly environment?: Readonly<Record<string, string>>;
  readonly now?: Date;
  readonly config?: string;
}

/** Runs Dredd as `npm run test:contract` does. */
function runDredd(url: string, { environment = { ALLOW_WRITES: '1' }, now, config }: Options = {}) {
  const setDate = now ? ['--import', `data:text/javascript,Date.now = () => ${now.getTime()}`] : [];
  const configuration = ['--config', config ?? join(import.meta.dirname, 'dredd.yml')];
  const variables = { ANIMAL_STORE_URL: url, ANIMAL_STORE_API_KEY, ...environment };
  return runToEnd(process.execPath, ['--no-warnings', ...setDate, dredd, ...configuration], variables);
}

/** Starts a deployment that keeps its requests. */
async function startRecording(answer: Answer = (request, asMock) => asMock(request)) {
  const requests: string[] = [];
  const createAnswer = (): Answer => (request, asMock) => {
    requests.push(`${request.method} ${request.path} ${request.body}`.trim());
    return answer(request, asMock);
  };
  const url = await startForTest({ createAnswer, options: { apiKeys: [ANIMAL_STORE_API_KEY] } });
  return { url, requests };
}

test('nine transactions pass, with the id and the category of the first list to the digit', async () => {
  const id = 2n ** 53n + 1n;
  const animals = createAnimals(2, () => ({ id, categoryId: id + 2n, status: 'available' }));
  const { url, requests } = await startRecording(createStoreAnswer({ animals }));
  const environment = { ANIMAL_STORE_API_KEY: 'test-key', ALLOW_WRITES: '1' };
  const { exitCode, printed } = await runDredd(url, { environment });
  expect(printed).toContain('complete: 9 passing, 0 failing, 0 errors, 0 skipped, 9 total\n');
  const body = new RegExp(`^POST /pets {"name":"contract-test \\d{10} Dredd","categoryId":${id + 2n}}$`);
  expect(requests).toContain(`GET /pets/${id}`);
  expect(requests).toContainEqual(expect.stringMatching(body));
  expect(exitCode).toBe(0);
});

test('without ALLOW_WRITES=1 no POST request is sent, and six transactions pass', async () => {
  const { url, requests } = await startRecording();
  const { exitCode, printed } = await runDredd(url, { environment: {} });
  expect(printed).toContain('complete: 6 passing, 0 failing, 0 errors, 3 skipped, 9 total\n');
  expect(requests.filter((request) => request.startsWith('POST'))).toEqual([]);
  expect(exitCode).toBe(0);
});

/** Broken deployments, each with the one transaction that finds it. */
const broken = {
  'answers a list by status with null for its first animal': 'GET (200) /pets?',
  'answers an invalid limit with status 500': 'GET (400) /pets?',
  'answers a list without the key as plain text': 'GET (401) /pets?',
  'answers an added animal with a string for the id': 'POST (201) /pets',
  'answers an invalid body with null for the message': 'POST (400) /pets',
  'answers an animal by its id with the status in upper case': 'GET (200) /pets/',
};

test.for(Object.entries(broken))('a deployment that %s fails in %s only', async ([name, transaction]) => {
  const deployment = brokenDeployments.find((one) => one.name === name);
  expect(deployment).toBeDefined();
  const environment = { ANIMAL_STORE_API_KEY: 'test-key', ALLOW_WRITES: '1' };
  const { exitCode, printed } = await runDredd(await startForTest({ ...deployment }), { environment });
  expect(printed).toContain('complete: 8 passing, 1 failing, 0 errors, 0 skipped, 9 total\n');
  expect(printed).toContain(`fail: ${transaction}`);
  expect(exitCode).toBe(1);
});

const removed: Answer = async (request, asMock) => {
  const html = { 'content-type': 'text/html' };
  return isFetch(request) ? { status: 404, headers: html, body: '<html>' } : asMock(request);
};

test.for<[what: string, now: Date, counts: string]>([
  ['on the day of its removal', REMOVAL, '6 passing, 0 failing, 0 errors, 3 skipped'],
  ['before that day', new Date(REMOVAL.getTime() - 1), '6 passing, 3 failing, 0 errors, 0 skipped'],
])('getPet that is gone %s has its due result', async ([, now, counts]) => {
  const { url } = await startRecording(removed);
  const { printed } = await runDredd(url, { now });
  expect(printed).toContain(`complete: ${counts}, 9 total\n`);
});

test('hooks that do not load fail the run, which reaches no deployment', async () => {
  const { url, requests } = await startRecording();
  const folder = createFolder({ 'hooks.cjs': "throw new Error('no hooks');" });
  const configuration = readFileSync(join(import.meta.dirname, 'dredd.yml'), 'utf8');
  const config = join(folder, 'dredd.yml');
  writeFileSync(config, configuration.replace('contract-tests/dredd/hooks.cjs', join(folder, 'hooks.cjs')));
  expect((await runDredd(url, { config })).exitCode).toBe(1);
  expect(requests).toEqual([]);
});

test('a failure shows its requests and responses without the key, also if a service cuts it or writes it in base64', async () => {
  const { url } = await startRecording(async (request, asMock) => {
    const reply = await asMock(request);
    const { authorization = '' } = request.headers;
    const type = { 'content-type': `text/plain; key=${authorization}` };
    // A service may take the same number of characters from each header for the scheme.
    const cut = { 'x-key': authorization.slice('Bearer te'.length) };
    const body = `{"status":"${authorization}","code":"${btoa(ANIMAL_STORE_API_KEY)}"}`;
    return { ...reply, headers: { ...reply.headers, ...type, ...cut }, body };
  });
  const { exitCode, printed } = await runDredd(url);
  expect(printed).toContain('Authorization: Bearer [key]\n');
  expect(printed).toContain('x-key: [key]\n');
  expect(printed).toContain('"status": "Bearer [key]",\n  "code": "[key]');
  expect(printed).not.toContain(ANIMAL_STORE_API_KEY.slice(-'of-dredd'.length));
  expect(exitCode).toBe(1);
});

test('a response without a media type is shown without one', async () => {
  const { url } = await startRecording(async () => ({ status: 200, headers: {}, body: '[]' }));
  const { printed } = await runDredd(url);
  expect(printed).toContain('Content-Type');
  expect(printed).not.toContain('undefined');
});
