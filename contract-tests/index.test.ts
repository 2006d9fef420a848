import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, expectTypeOf, test } from 'vitest';
import { type ExactJson, isJsonObject, parseExactJson, printExactJson } from '../common/json/exact-json.ts';
import { clauses, MOST_ADDED } from './clauses/clauses.ts';
import type { ChangeReply } from './deployments/changes.ts';
import { CouldNotTell, UsageError, type VerifyOptions, verifyDeployment } from './index.ts';
import type { verifyCommand } from './options.ts';
import { startForTest, withoutMaximum } from './testing/run-cli.ts';

const apiKey = 'test-key';

test('a program has the options of the command, except those about printing and the one that states a default', () => {
  type Others = 'list' | 'open' | 'reporter' | 'verbose' | 'strict' | 'baseline' | 'readOnly';
  type Shared = Exclude<keyof typeof verifyCommand.schemas, Others>;
  expectTypeOf<keyof VerifyOptions>().toEqualTypeOf<Shared | 'signal' | 'onResult'>();
});

test('a deployment that conforms: the verdict, and a result for each clause', async () => {
  const baseUrl = await startForTest();
  const ids: string[] = [];
  const { verdict, outcomes, animalsAdded, ...report } = await verifyDeployment({
    ...{ baseUrl, apiKey, allowWrites: true, seed: 7, runs: 3 },
    onResult: ({ clause }) => ids.push(clause.id),
  });
  expect(verdict).toBe('conforms');
  expect(report).toMatchObject({ baseUrl, options: { seed: 7, runs: 3, allowsWrites: true } });
  expect(animalsAdded).toBeLessThanOrEqual(MOST_ADDED);
  const tried = clauses.filter(({ id }) => !id.startsWith('quickstart/')).map(({ id }) => id);
  expect(outcomes.map(({ clause }) => clause.id)).toEqual(tried);
  expect(ids.toSorted()).toEqual(tried.toSorted());
});

test('a deployment that does not: what was expected, what came and a curl line', async () => {
  const baseUrl = await startForTest(withoutMaximum);
  const only = ['list-pets/limit', 'create-pet/success'];
  const { verdict, outcomes } = await verifyDeployment({ baseUrl, apiKey, only, allowWrites: false });
  expect(verdict).toBe('does not conform');
  expect(outcomes.filter(({ verdict }) => verdict === 'failed')).toEqual([
    expect.objectContaining({
      clause: expect.objectContaining({ id: 'list-pets/limit-is-a-maximum' }),
      expected: expect.stringMatching(/^at most \d+ animals$/),
      evidence: expect.objectContaining({ curl: expect.stringContaining('curl -i ') }),
    }),
  ]);
  expect(outcomes.find(({ clause }) => clause.id === 'create-pet/success')?.verdict).toBe('not tested');
});

test('headers and a category go with the requests, and the quickstart is tried where it is', async () => {
  const tenants = new Set<string | undefined>();
  const bodies: string[] = [];
  const baseUrl = await startForTest({
    createBehaviour: () => (request, asMock) => {
      tenants.add(request.headers['x-tenant']);
      if (request.method === 'POST') bodies.push(request.body);
      return asMock(request);
    },
  });
  const only = ['create-pet/success', 'quickstart/success'];
  const quickstart = new URL(baseUrl).origin;
  const options = {
    ...{ baseUrl, apiKey, allowWrites: true, only, quickstart },
    ...{ headers: { 'X-Tenant': 'zoo' }, categoryId: 77 },
  };
  const { outcomes } = await verifyDeployment(options);
  expect([...tenants]).toEqual(['zoo']);
  expect(bodies).toContainEqual(expect.stringContaining('"categoryId":77'));
  expect(outcomes.map(({ clause }) => clause.id)).toEqual(only);
});

test.for<[object, RegExp]>([
  [{}, /^animal-store-verify\/\d+\.\d+\.\d+ \(run [\da-z]{8}\)$/],
  [{ headers: { 'user-agent': 'zoo/1' } }, /^zoo\/1$/],
])('every request of a run has the same User-Agent, Dredd among them: %o', async ([options, pattern]) => {
  const agents: unknown[] = [];
  const server = await startForTest({
    createBehaviour: () => (request, asMock) => {
      agents.push(request.headers['user-agent']);
      return asMock(request);
    },
  });
  const only = ['list-pets/success', 'replay', 'quickstart'];
  const verify = () =>
    verifyDeployment({
      ...{ baseUrl: server, apiKey, only, allowWrites: true, quickstart: new URL(server).origin },
      ...options,
    });
  const { requests } = await verify();
  expect(agents.length).toBeGreaterThanOrEqual(requests);
  expect(new Set(agents).size).toBe(1);
  expect(agents[0]).toMatch(pattern);
  await verify();
  // Another run has another id.
  expect(new Set(agents).size).toBe('headers' in options ? 1 : 2);
});

test('a signal ends the run with the clauses so far, and the deployment conforms in part', async () => {
  const interruption = new AbortController();
  const { signal } = interruption;
  const { verdict, outcomes, ...report } = await verifyDeployment({
    ...{ baseUrl: await startForTest(), apiKey, allowWrites: true, signal },
    onResult: () => interruption.abort(),
  });
  expect(verdict).toBe('conforms in part');
  expect(report.tested).toBeLessThan(report.required);
  expect(outcomes.map(({ verdict }) => verdict)).toContain('passed');
  expect(outcomes.map(({ reason }) => reason)).toContain('the run was interrupted');
});

const longKey = 'Kq7vTz2mWx9pLr4cHb6nJd8sGf3y'.repeat(9);

test.for<[string, ChangeReply]>([
  [
    'a status of 400 letters',
    changeMember('status', () => `${'-'.repeat(80)}${longKey.slice(0, 28)}${'-'.repeat(400)}`),
  ],
  ['a short name', changeMember('name', (name) => `${name} and ${longKey.slice(0, 28)}${'-'.repeat(40)}`)],
  [
    'an Error that is HTML',
    ({ status, body }) => ({ body: status < 400 ? body : `<p>${longKey.repeat(100)}` }),
  ],
])('where a deployment echoes the key in %s, no part of it is in the report', async ([what, change]) => {
  const key = what.includes('HTML') ? longKey : longKey.slice(0, 28);
  const baseUrl = await startForTest({
    options: { apiKeys: [key] },
    createBehaviour: () => async (request, asMock) => {
      const reply = await asMock(request);
      return request.method === 'POST' && reply.status === 201
        ? reply
        : { ...reply, ...change(reply, request) };
    },
  });
  const only = ['list-pets/pets', 'create-pet/stored', 'create-pet/text-exact', 'errors/body'];
  const { outcomes } = await verifyDeployment({ baseUrl, apiKey: key, allowWrites: true, only });
  expect(outcomes.map(({ verdict }) => verdict)).toContain('failed');
  const report = JSON.stringify(outcomes);
  const pieces = Array.from(key.slice(4, 28), (_, index) => key.slice(index, index + 5));
  expect(pieces.filter((piece) => report.includes(piece))).toEqual([]);
});

/** Changes a member of every object and list that is answered. */
function changeMember(name: string, change: (value: unknown) => string): ChangeReply {
  const changeOne = (value: ExactJson) =>
    isJsonObject(value) && name in value ? { ...value, [name]: change(value[name]) } : value;
  return ({ body }) => {
    const value = parseExactJson(body);
    return { body: printExactJson(Array.isArray(value) ? value.map(changeOne) : changeOne(value)) };
  };
}

test('nothing is printed, and the process is not ended', async () => {
  const baseUrl = await startForTest(withoutMaximum);
  const script = `
    const { verifyDeployment } = await import(${JSON.stringify(join(import.meta.dirname, 'index.ts'))});
    await verifyDeployment(${JSON.stringify({ baseUrl, apiKey, allowWrites: true })});
    await verifyDeployment(${JSON.stringify({ baseUrl, apiKey: 'another-key', allowWrites: true })}).catch(() => {});
    process.exitCode = 7;`;
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
  expect(await run.catch((error) => error)).toMatchObject({ code: 7, stdout: '', stderr: '' });
});

test.for<[string, Partial<VerifyOptions>, string]>([
  ['that does not listen', { baseUrl: 'http://127.0.0.1:9/MyOwnKey99' }, '9/[key] cannot be reached: '],
  ['that refuses the key', {}, ' refuses the API key: GET /pets with it is answered 401'],
  ['after the run has ended', { signal: AbortSignal.abort() }, 'the run was interrupted'],
])('of a deployment %s nothing can be told', async ([, options, message]) => {
  const given = { baseUrl: await startForTest(), apiKey: 'MyOwnKey99', allowWrites: true, ...options };
  const error = await verifyDeployment(given).catch((failure) => failure);
  expect(error).toBeInstanceOf(CouldNotTell);
  expect(error.message).toContain(message);
  expect(error.message).not.toContain(given.apiKey);
});

test.for<[object | undefined, string]>([
  [undefined, 'baseUrl is missing; it must be a URL such as https://staging.example/v1, with http or https'],
  [{ apiKey: undefined }, 'apiKey is missing; it must be a key without "Bearer" before it'],
  [{ baseUrl: 'nowhere' }, 'baseUrl must be a URL such as https://staging.example/v1'],
  [
    { baseUrl: 'http://:hunter2@127.0.0.1:9/v1' },
    'baseUrl must not contain credentials: leave out the part before the @',
  ],
  [{ baseUrl: 'http://me:hunter2@nowhere:x/v1' }, 'baseUrl must be a URL such as'],
  [
    { quickstart: 'http://me:hunter2@127.0.0.1:9' },
    'quickstart must not contain credentials: leave out the part before the @',
  ],
  [{ quickstart: 'http://me:hunter2@nowhere:x' }, 'quickstart must be an origin such as'],
  [{ apiKey: 'Bearer x' }, 'apiKey must be a key without "Bearer" before it'],
  [{ apiKey: '' }, 'apiKey must be a key'],
  [{ allowWrites: undefined }, 'allowWrites is missing; it must be true or false'],
  [{ allowWrites: 'yes' }, 'allowWrites must be true or false, not "yes"'],
  [{ allowWrites: null }, 'allowWrites must be true or false, not null'],
  [{ readOnly: true }, 'there is no option readOnly'],
  [{ only: 'nothing' }, 'only must be an array with at least one value, each the id of a clause'],
  [{ only: ['list-pets', 'nothing'] }, 'not "nothing"'],
  [{ quickstart: 'https://a.example/x' }, 'quickstart must be an origin such as https://staging.example'],
  [
    { categoryId: 2n ** 63n },
    'categoryId must be an int64, in a program as a bigint or a safe integer, not 92233720368',
  ],
  [{ categoryId: 2 ** 53 }, 'categoryId must be an int64'],
  [{ timeout: 0 }, 'timeout must be an integer from 1 to 3600000, not 0'],
  [{ timeout: '5' }, 'timeout must be an integer from 1 to 3600000, not "5"'],
  [{ headers: ['x: y'] }, 'headers must be an object of names and values'],
  [{ headers: { Host: 'x' } }, "none of them the suite's own"],
  [{ headers: { 'X-A': 'zoö' } }, 'headers must be'],
  [{ ca: '/nowhere' }, 'ca: /nowhere could not be read'],
  [{ ca: import.meta.filename }, 'holds no certificate in PEM'],
  [{ signal: {} }, 'signal must be an AbortSignal'],
  [{ onResult: 1 }, 'onResult must be a function, not 1'],
  [{ reporter: 'json' }, 'there is no option reporter'],
  [{ colour: 1 }, 'there is no option colour'],
])('%o: the error names the option and what was expected', async ([options, message]) => {
  const given = options && { baseUrl: 'http://127.0.0.1:9/v1', apiKey, allowWrites: false, ...options };
  const error = await verifyDeployment(given as VerifyOptions).catch((failure) => failure);
  expect(error).toBeInstanceOf(UsageError);
  expect(error.message).toContain(message);
  expect(error.message).not.toContain('hunter2');
});
