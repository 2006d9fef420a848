import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createAnimals, createStoreAnswer } from '../deployments/conforming/store-behaviour.ts';
import type { Answer } from '../deployments/deployment.ts';
import { isFetch } from '../deployments/messages.ts';
import { startForTest } from '../testing/run-suite.ts';
import { runToEnd } from '../testing/run-to-end.ts';
import { REMOVAL } from '../vocabulary/removal.ts';

const root = join(import.meta.dirname, '../..');
const dredd = join(import.meta.dirname, 'node_modules/dredd/bin/dredd');
const page = readFileSync(join(root, 'docs/guides/verify-staging.md'), 'utf8');
const [, documented = ''] =
  /`npx --prefix contract-tests\/dredd dredd (openapi\.yaml [^`]*)`/.exec(page) ?? [];

/** Runs Dredd's own command in the checkout, as the guide says. */
function runDreddCommand(url: string, environment: Readonly<Record<string, string>>, now?: Date) {
  const args = documented.replace('https://staging.example/v1', url).split(' ');
  const setDate = now ? ['--import', `data:text/javascript,Date.now = () => ${now.getTime()}`] : [];
  const command = ['--no-warnings', ...setDate, dredd, ...args];
  return runToEnd(process.execPath, command, environment);
}

/** Starts a deployment that keeps its requests. */
async function startRecording(answer: Answer = (request, asMock) => asMock(request)) {
  const requests: string[] = [];
  const createAnswer = (): Answer => (request, asMock) => {
    requests.push(`${request.method} ${request.path} ${request.body}`.trim());
    return answer(request, asMock);
  };
  const url = await startForTest({ createAnswer });
  return { url, requests };
}

const ANIMAL_STORE_API_KEY = 'test-key';

test("Dredd's own command passes six transactions of the mock, and sends no POST", async () => {
  const { url, requests } = await startRecording();
  const { exitCode, printed } = await runDreddCommand(url, { ANIMAL_STORE_API_KEY });
  expect(printed).toContain('complete: 6 passing, 0 failing, 0 errors, 3 skipped, 9 total\n');
  expect(printed).toContain('Read-only: no POST request is sent. Set ALLOW_WRITES=1 to add an animal.\n');
  expect(requests.filter((request) => request.startsWith('POST'))).toEqual([]);
  expect([requests.length, exitCode]).toEqual([6, 0]);
});

test('with ALLOW_WRITES=1 nine pass, with the id and the category of the first list', async () => {
  const id = 2n ** 53n + 1n;
  const animals = createAnimals(2, () => ({ id, categoryId: id + 2n, status: 'available' }));
  const { url, requests } = await startRecording(createStoreAnswer({ animals }));
  const environment = { ANIMAL_STORE_API_KEY, ALLOW_WRITES: '1' };
  const { exitCode, printed } = await runDreddCommand(url, environment);
  expect(printed).toContain('complete: 9 passing, 0 failing, 0 errors, 0 skipped, 9 total\n');
  const body = new RegExp(`^POST /pets {"name":"contract-test \\d{10} Dredd","categoryId":${id + 2n}}$`);
  expect(requests).toContain(`GET /pets/${id}`);
  expect(requests).toContainEqual(expect.stringMatching(body));
  expect(exitCode).toBe(0);
});

test.for<[environment: Readonly<Record<string, string>>, counts: string]>([
  [{}, '5 passing, 0 failing, 0 errors, 4 skipped'],
  [{ ALLOW_WRITES: '1' }, '9 passing, 0 failing, 0 errors, 0 skipped'],
])('a store without animals with %o: %s', async ([environment, counts]) => {
  const { url } = await startRecording(createStoreAnswer({ animals: [] }));
  const { exitCode, printed } = await runDreddCommand(url, { ANIMAL_STORE_API_KEY, ...environment });
  expect(printed).toContain(`complete: ${counts}, 9 total\n`);
  expect(exitCode).toBe(0);
});

const removed: Answer = async (request, asMock) => {
  const html = { 'content-type': 'text/html' };
  return isFetch(request) ? { status: 404, headers: html, body: '<html>' } : asMock(request);
};

const dayBefore = new Date(REMOVAL.getTime() - 1);

test.for<[what: string, now: Date, behave: Answer | undefined, counts: string, printed: string]>([
  [
    'served on the day of its removal',
    REMOVAL,
    undefined,
    '6 passing, 0 failing, 0 errors, 3 skipped',
    'pass: GET (404) /pets/',
  ],
  [
    'removed on that day',
    REMOVAL,
    removed,
    '3 passing, 0 failing, 0 errors, 6 skipped',
    'has been removed, as announced',
  ],
  [
    'removed before that day',
    dayBefore,
    removed,
    '3 passing, 3 failing, 0 errors, 3 skipped',
    'fail: GET (404) /pets/',
  ],
])('getPet that is %s has its due result', async ([, now, behave, counts, text]) => {
  const { url } = await startRecording(behave);
  const { printed } = await runDreddCommand(url, { ANIMAL_STORE_API_KEY }, now);
  expect(printed).toContain(`complete: ${counts}, 9 total\n`);
  expect(printed).toContain(text);
});

test('without a key one message names the variable, and nothing is sent', async () => {
  const { url, requests } = await startRecording();
  const { exitCode, printed } = await runDreddCommand(url, { ALLOW_WRITES: '1' });
  expect(printed).toContain('The API key is missing. Set ANIMAL_STORE_API_KEY.\n');
  expect(printed).toContain('complete: 0 passing, 1 failing, 0 errors, 8 skipped, 9 total\n');
  expect([requests, exitCode]).toEqual([[], 1]);
});

test('a line break at the end of the key is left out, and another control is named', async () => {
  const { url, requests } = await startRecording();
  const trimmed = await runDreddCommand(url, { ANIMAL_STORE_API_KEY: `${ANIMAL_STORE_API_KEY}\n` });
  expect([trimmed.exitCode, requests.length]).toEqual([0, 6]);
  const refused = await runDreddCommand(url, { ANIMAL_STORE_API_KEY: 'test\tkey' });
  expect(refused.printed).toContain('ANIMAL_STORE_API_KEY must not contain a tab (U+0009), which is its');
  expect([refused.exitCode, requests.length]).toEqual([1, 6]);
});

test('a failure shows its requests and responses without the key', async () => {
  const { url } = await startRecording(async (request, asMock) => {
    const reply = await asMock(request);
    const { authorization = '' } = request.headers;
    const type = { 'content-type': `text/plain; key=${authorization}` };
    return { ...reply, headers: { ...reply.headers, ...type }, body: `{"status":"${authorization}"}` };
  });
  const { exitCode, printed } = await runDreddCommand(url, { ANIMAL_STORE_API_KEY });
  expect(printed).toContain('Authorization: Bearer [key]\n');
  expect(printed).toContain('"status": "Bearer [key]"\n');
  expect(printed).not.toContain(ANIMAL_STORE_API_KEY);
  expect(exitCode).toBe(1);
});
