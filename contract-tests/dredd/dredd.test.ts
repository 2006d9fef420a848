import { join } from 'node:path';
import { expect, test } from 'vitest';
import { brokenDeployments } from '../deployments/broken-deployments.ts';
import { change, combine } from '../deployments/changes.ts';
import { createAnimals, createStoreAnswer } from '../deployments/conforming/store-behaviour.ts';
import type { Answer, CreateAnswer } from '../deployments/deployment.ts';
import { isFetch } from '../deployments/messages.ts';
import { answered, createError } from '../deployments/replies.ts';
import { REMOVAL } from '../history/removal.ts';
import { startForTest } from '../testing/run-suite.ts';
import { runToEnd } from '../testing/run-to-end.ts';

const dredd = join(import.meta.dirname, '../../node_modules/dredd/bin/dredd');
const ANIMAL_STORE_API_KEY = 'test-key-of-dredd';

const dayBefore = new Date(REMOVAL.getTime() - 1);

interface Options {
  readonly environment?: Readonly<Record<string, string>>;
  readonly now?: Date;
}

/** Runs Dredd as `npm run test:contract` does. */
function runDredd(url: string, { environment = { ALLOW_WRITES: '1' }, now }: Options = {}) {
  const setDate = now ? ['--import', `data:text/javascript,Date.now = () => ${now.getTime()}`] : [];
  const configuration = ['--config', join(import.meta.dirname, 'dredd.yml')];
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

const defectOf = (name: string) =>
  brokenDeployments.find((one) => one.name === name)?.createAnswer as CreateAnswer;

/** Defects that do not hide each other, by the one transaction that finds each. */
const defects = {
  'GET (200) /pets?': change.list((list) => list.with(1, null as never)),
  'GET (400) /pets?': defectOf('answers an invalid limit with status 500'),
  'GET (401) /pets?': defectOf('answers a list without the key as plain text'),
  'POST (201) /pets': defectOf('answers an added animal with a string for the id'),
  'POST (400) /pets': defectOf('answers an invalid body with null for the message'),
  'GET (200) /pets/': change.reply(answered(200, isFetch), () => createError(404)),
};

test('of six defects each fails its own transaction, and the other three pass', async () => {
  const createAnswer = combine(Object.values(defects));
  const environment = { ANIMAL_STORE_API_KEY: 'test-key', ALLOW_WRITES: '1' };
  const url = await startForTest({ createAnswer });
  const { exitCode, printed } = await runDredd(url, { environment, now: dayBefore });
  const failed = [...printed.matchAll(/^fail: (\S+ \(\d+\) \/pets[?/]?)/gm)].map(
    ([, transaction]) => transaction,
  );
  expect([...new Set(failed)].toSorted()).toEqual(Object.keys(defects).toSorted());
  expect(printed).toContain('complete: 3 passing, 6 failing, 0 errors, 0 skipped, 9 total\n');
  expect(exitCode).toBe(1);
});

test('without ALLOW_WRITES=1 no POST is sent, a removed getPet is skipped, and a failure shows no key that a service repeats, cuts or writes in base64', async () => {
  const { url, requests } = await startRecording(async (request, asMock) => {
    // On the day of its removal, getPet that is gone is skipped.
    if (isFetch(request)) return { status: 404, headers: { 'content-type': 'text/html' }, body: '<html>' };
    // A response without a media type is shown without one.
    if (request.query.get('limit') === '0') return { status: 200, headers: {}, body: '[]' };
    const reply = await asMock(request);
    const { authorization = '' } = request.headers;
    const type = { 'content-type': `text/plain; key=${authorization}` };
    // A service may take the same number of characters from each header for the scheme.
    const cut = { 'x-key': authorization.slice('Bearer te'.length) };
    const body = `{"status":"${authorization}","code":"${btoa(ANIMAL_STORE_API_KEY)}"}`;
    return { ...reply, headers: { ...reply.headers, ...type, ...cut }, body };
  });
  const { exitCode, printed } = await runDredd(url, { environment: {}, now: REMOVAL });
  expect(requests.filter((request) => request.startsWith('POST'))).toEqual([]);
  expect(printed).toContain('complete: 0 passing, 3 failing, 0 errors, 6 skipped, 9 total\n');
  expect(printed).toContain('Authorization: Bearer [key]\n');
  expect(printed).toContain('x-key: [key]\n');
  expect(printed).toContain('"status": "Bearer [key]",\n  "code": "[key]');
  expect(printed).not.toContain(ANIMAL_STORE_API_KEY.slice(-'of-dredd'.length));
  expect(printed).not.toContain('undefined');
  expect(exitCode).toBe(1);
});
