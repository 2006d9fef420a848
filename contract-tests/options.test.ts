import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, expectTypeOf, test, vi } from 'vitest';
import { callCommand } from '../tools/testing/call-command.ts';
import { MOST_ADDED } from './client/run-limits.ts';
import { UsageError, type VerifyOptions, verifyDeployment } from './index.ts';
import { parseVerifyArguments, type verifyCommand } from './options.ts';
import { readTarget } from './read-target.ts';
import { reporters } from './reporters/reporters.ts';
import { createTarget, resolveVerifyOptions } from './resolve-verify-options.ts';
import { runVerify } from './run-verify.ts';

const nowhere = 'http://127.0.0.1:9/v1';
const apiKey = 'test-key';

test('a program has the options of the command, except those about printing and the one that states a default', () => {
  type Printing = 'list' | 'open' | 'reporter' | 'verbose';
  type Others = 'strict' | 'atLeast' | 'har' | 'apiKeyCommand' | 'readOnly';
  type Shared = Exclude<keyof typeof verifyCommand.options, Printing | Others>;
  expectTypeOf<keyof VerifyOptions>().toEqualTypeOf<Shared | 'signal' | 'onResult'>();
});

const hosts = ['127.0.0.1:9', 'localhost:9', '[::1]:9', '10.0.0.7', 'staging.example'];

test('a coding agent gets findings as lines of JSON and no progress, and can ask for any other report', () => {
  const read = (environment: Record<string, string>, ...flags: string[]) => {
    const { reporters, showsProgress } = parseVerifyArguments(['http://127.0.0.1:9/v1', ...flags], {
      ANIMAL_STORE_API_KEY: 'x',
      ...environment,
    });
    return [reporters.map(({ name }) => name), showsProgress];
  };
  expect(read({})).toEqual([['terminal'], true]);
  expect(read({ AI_AGENT: '' })).toEqual([['terminal'], true]);
  expect(read({ AI_AGENT: 'some-agent' })).toEqual([['agent'], false]);
  expect(read({ CLAUDECODE: '1' }, '--reporter', 'json=report.json')).toEqual([['json', 'agent'], false]);
  expect(read({ CLAUDECODE: '1' }, '--reporter', 'terminal')).toEqual([['terminal'], false]);
});

test.for(hosts)('at %s the suite writes only with --allow-writes, whatever a variable says', async (host) => {
  const baseUrl = `http://${host}/v1`;
  for (const name of ['ALLOW_WRITES', 'ANIMAL_STORE_ALLOW_WRITES']) vi.stubEnv(name, 'true');
  const allowsWrites = async (...flags: string[]) => {
    const args = [baseUrl, '--api-key', 'x', ...flags];
    const { baseUrl: _, apiKey: __, ...command } = parseVerifyArguments(args);
    return (await createTarget({ ...command, baseUrl, apiKey }, () => '--ca')).allowsWrites;
  };
  expect(await allowsWrites()).toBe(false);
  expect(await allowsWrites('--allow-writes')).toBe(true);
  for (const allowWrites of [true, false]) {
    const { target } = await resolveVerifyOptions({ baseUrl, apiKey, allowWrites });
    expect(target.allowsWrites).toBe(allowWrites);
  }
  vi.unstubAllEnvs();
});

test.for([
  ['http://127.0.0.1:9/v1', Number.POSITIVE_INFINITY],
  ['http://app.localhost:9/v1', Number.POSITIVE_INFINITY],
  ['https://staging.example/v1', 50],
  ['http://10.0.0.7/v1', 50],
] as const)('%s gets at most %d requests a second, unless --max-rate is given', async ([baseUrl, rate]) => {
  const options = { baseUrl, apiKey, allowWrites: false };
  expect((await resolveVerifyOptions(options)).target.maxRate).toBe(rate);
  expect((await resolveVerifyOptions({ ...options, maxRate: 7 })).target.maxRate).toBe(7);
});

const ANIMAL_STORE_URL = nowhere;
const ANIMAL_STORE_API_KEY = 'another-key';

test('npm run test:contract only reads from ANIMAL_STORE_URL, unless ALLOW_WRITES is 1', () => {
  const allows = (ALLOW_WRITES?: string) =>
    readTarget({ ANIMAL_STORE_URL, ANIMAL_STORE_API_KEY, ALLOW_WRITES }).allowWrites;
  expect([allows('1'), allows('true'), allows()]).toEqual([true, false, false]);
});

test.for<[variables: Record<string, string>, message: string]>([
  [{}, 'ANIMAL_STORE_URL and ANIMAL_STORE_API_KEY are missing. Set both variables, such as: '],
  [{ ANIMAL_STORE_API_KEY }, 'ANIMAL_STORE_URL is missing. Set both variables, such as: '],
  [{ ANIMAL_STORE_URL, ANIMAL_STORE_API_KEY: '' }, 'ANIMAL_STORE_API_KEY is missing. '],
])('with %j npm run test:contract names what is missing', ([variables, message]) => {
  expect(() => readTarget(variables)).toThrow(message);
});

test('every text has the number of animals that the suite adds at most', () => {
  const root = join(import.meta.dirname, '..');
  const files = ['README.md', 'contract-tests/README.md', 'contract-tests/verify-options.ts'];
  const found = [...files, ...globSync('docs/**/*.md', { cwd: root })].flatMap((file) => {
    const numbers = readFileSync(join(root, file), 'utf8').matchAll(/adds? up to (\d+) animals/g);
    return [...numbers].map(([, number]) => ({ file, number: Number(number) }));
  });
  expect(found.length).toBeGreaterThan(3);
  expect(found.filter(({ number }) => number !== MOST_ADDED)).toEqual([]);
});

const oneHeader =
  'One Authorization header cannot carry both the Basic credentials of a gateway and the API key. The gateway has to take another header (--header) or a client certificate (--client-cert, --client-key)';

test.for<[args: string[], message: string, key?: string]>([
  [[], 'The base URL is missing. Give one such as https://staging.example/v1.'],
  [[''], 'the base URL is empty. Is the variable set?'],
  [['nowhere'], 'the base URL must be a URL such as https://staging.example/v1, with http or https'],
  [
    ['http://:hunter2@127.0.0.1:9/v1'],
    `must not contain credentials: leave out the part before the @. ${oneHeader}`,
  ],
  [
    [nowhere, '--header', 'authorization: Basic aHVudGVyMg=='],
    `--header must be another header: the suite sets authorization to the API key. ${oneHeader}`,
  ],
  [[nowhere], `${nowhere} cannot be reached: `],
  [[nowhere, '--only', 'create-pet/stored'], '--only chooses clauses that need POST, which adds animals'],
  [[nowhere], 'The API key is missing. Set ANIMAL_STORE_API_KEY or give --api-key.', ''],
  [[nowhere, '--api-key', 'Bearer x'], '--api-key must be a key without "Bearer" before it'],
  [
    [nowhere, '--api-key', 'MyOwn\tKey99'],
    '--api-key must not contain a tab (U+0009), which is its character 6',
    'other',
  ],
  [
    [nowhere],
    'ANIMAL_STORE_API_KEY must not contain a line break (U+000A), which is its character 5',
    'MyOw\nnKey99',
  ],
  [[nowhere], 'ANIMAL_STORE_API_KEY must not end with a space', 'MyOwnKey99 \n'],
  [[nowhere, '--header', 'Host: x'], 'the suite sets Host'],
  [[nowhere, '--reporter', 'json', '--reporter', 'junit'], 'Two reports cannot go to stdout. Give one'],
  [[nowhere, '--reporter', 'json', '--reporter', 'github'], 'Two reports cannot go to stdout. Give one'],
  [[nowhere, '--reporter', 'json=LICENSE/b/x'], '--reporter: LICENSE/b/x could not be written'],
  [[nowhere, '--reporter', 'json='], 'must have a file after =, such as json=report.json'],
  [[nowhere, '--reporter', 'pdf'], `must be one of ${Object.keys(reporters).join(', ')}, not "pdf"`],
  [[nowhere, '--only', 'list-pets/filterz'], 'not "list-pets/filterz". Did you mean list-pets/filters?'],
  [[nowhere, '--only', 'nothing'], 'the start of ids, as --list prints them, not "nothing"'],
  [[nowhere, '--known', import.meta.filename], 'cannot be used. '],
  [[nowhere, '--timeout', '0'], '--timeout must be an integer from 1 to 3600000, not 0'],
  // No key is in a message.
  [[nowhere, '--timeout', 'MyOwnKey99'], '--timeout'],
  [['http://user:GluedKey77@localhost'], 'must not contain credentials'],
  [[nowhere, '--reporter', 'json=LICENSE/b/MyOwnKey99'], 'could not be written'],
  [['http://127.0.0.1:9/MyOwnKey99'], 'cannot be reached'],
  [[nowhere, '--known', 'MyOwnKey99'], '--known'],
])('%j: the command ends with exit code 2 and one line', async ([args, message, key = 'MyOwnKey99']) => {
  const { exitCode, stdout, stderr } = await callCommand('animal-store-verify', runVerify, args, {
    ANIMAL_STORE_API_KEY: key,
  });
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^animal-store-verify: [^\n]+\n$/);
  expect(stderr).toContain(message);
  expect(stderr).not.toMatch(/hunter2|MyOwnKey|wnKey99|GluedKey|luedKey77/i);
});

test.for<[object | undefined, string]>([
  [undefined, 'baseUrl is required and must be a URL such as https://staging.example/v1, with http or https'],
  [{ baseUrl: 'http://me:hunter2@127.0.0.1:9' }, 'baseUrl must not contain credentials'],
  [{ headers: { Authorization: 'Basic aHVudGVyMg==' } }, `such as { "X-Gateway": "value" }. ${oneHeader}`],
  [{ allowWrites: undefined }, 'allowWrites is required and must be true or false'],
  [{ readOnly: true }, 'there is no option readOnly'],
  [{ only: ['list-pets', 'nothing'] }, 'not "nothing"'],
  [{ categoryId: 2n ** 63n }, 'must be an int64, in a program as a bigint or a safe integer, not 92233'],
  [{ headers: { Host: 'x' } }, 'must be an object of headers that the suite does not set'],
  [{ headers: { 'X-A': 'zoö' } }, 'headers must be'],
  [{ ca: '/nowhere' }, 'ca: /nowhere could not be read'],
  [{ signal: {} }, 'signal must be an AbortSignal'],
])('%o: the error names the option and the expected value', async ([options, message]) => {
  const given = options && { baseUrl: nowhere, apiKey, allowWrites: false, ...options };
  const error = await verifyDeployment(given as VerifyOptions).catch((failure) => failure);
  expect(error).toBeInstanceOf(UsageError);
  expect(error.message).toContain(message);
  expect(error.message).not.toContain('hunter2');
});
