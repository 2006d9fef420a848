import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { startMock } from '../mock/index.ts';
import { clauses, MOST_ADDED } from './clauses/clauses.ts';
import { brokenDeployments } from './deployments/broken-deployments.ts';
import { replace } from './deployments/changes.ts';
import { createError } from './deployments/replies.ts';
import { answered, isCreation } from './deployments/requests.ts';
import { parseVerifyArguments } from './options.ts';
import { runCli, startCli, startForTest, withoutMaximum } from './testing/run-cli.ts';
import { verify } from './verify.ts';

afterEach(vi.unstubAllEnvs);

/** In one process; `runCli` has one for each run. */
const runInTurn = startCli();

test('a deployment that conforms: exit code 0 and the cost, with --verbose every clause', async () => {
  const url = await startForTest();
  const { exitCode, stdout, stderr } = await runCli([url, '--allow-writes', '--verbose']);
  // A run that takes long says now and then how far it is.
  expect([exitCode, stderr.replaceAll(/^… .*\n/gm, '')]).toEqual([
    0,
    `Verifying ${url}. The suite adds about ${MOST_ADDED} animals, most of them named "contract-test …", and nothing can delete them.\n`,
  ]);
  const tried = clauses.filter(({ id }) => !id.startsWith('quickstart/'));
  for (const { id } of tried) expect(stdout).toContain(`\n  passed  ${id} `);
  expect(stdout.split('\n').slice(-3).join('\n')).toMatch(
    /^http:.* conforms: (\d+) of \1 required clauses tested\n\1 passed, 0 failed, 0 not tested, 0 not applicable; recommended: \d+ met, 0 not met \(\d+ requests, \d+ animals added, [\d.]+ s\)\n$/,
  );
  expect(Number(/(\d+) animals added/.exec(stdout)?.[1])).toBeLessThanOrEqual(MOST_ADDED);
});

test('a deployment that does not: exit code 1, the clause, what was expected, the exchange, a curl line and the counts', async () => {
  const url = await startForTest(withoutMaximum);
  const { exitCode, stdout } = await runInTurn([url, '--allow-writes', '--only', 'list-pets']);
  expect(exitCode).toBe(1);
  const told = [
    'FAILED  GET /pets returns no more animals than limit\\.',
    ' {2}list-pets/limit-is-a-maximum {2}GET /pets',
    ' {2}expected {2}at most \\d+ animals',
    ' {2}received {2}\\d+',
    ' {2}GET /pets\\?limit=5 → 200',
    ' {2}curl -i .*',
    '',
    'http.* does not conform: 1 finding, \\d+ of \\d+ required clauses tested \\(--only\\)',
    '\\d+ passed, 1 failed, \\d+ not tested, 0 not applicable \\(.*\\)\n',
  ];
  expect(stdout).toMatch(RegExp(`^${told.join('\n')}$`));
});

test('where additions are refused, it conforms in part, which --strict makes exit code 1', async () => {
  const refuse = answered(201, isCreation);
  const isFull = { createBehaviour: replace(refuse, createError(409)) };
  const args = [
    await startForTest(isFull),
    '--allow-writes',
    '--only',
    'create-pet',
    '--only',
    'list-pets/success',
  ];
  const { exitCode, stdout } = await runInTurn(args);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^http.* conforms in part: \d+ of \d+ required clauses tested \(/m);
  expect(stdout).toContain('create-pet/stored');
  expect((await runInTurn([...args, '--strict'])).exitCode).toBe(1);
});

test('what led to a failure is told in its order, and what probably fails for the same reason under it', async () => {
  const asDouble = brokenDeployments.find(
    ({ name }) => name === 'answers a categoryId exactly and keeps it as a double',
  );
  const { stdout } = await runInTurn([
    await startForTest(asDouble),
    '--allow-writes',
    '--only',
    'create-pet',
    '--only',
    'store',
  ]);
  expect(stdout.match(/^FAILED/gm)).toHaveLength(1);
  expect(stdout).toMatch(/^ {2}POST \/pets → 201, [\d.]+ ms before\n {2}GET \/pets\/\d+ → 200\n {2}id1=/m);
  expect(stdout).toMatch(
    /^ {2}also: 2 clauses with the same evidence\n {4}create-pet\/stored: expected .*\n {4}store\/kept: expected /m,
  );
});

test('a report on stdout has no colours where that is no terminal, unless FORCE_COLOR asks for them', async () => {
  const url = await startForTest(withoutMaximum);
  const args = [url, '--only', 'list-pets/limit-is-a-maximum'];
  expect((await runCli(args)).stdout).not.toContain('\x1b');
  vi.stubEnv('FORCE_COLOR', '1');
  expect((await runCli(args)).stdout).toContain('\x1b[31mFAILED\x1b');
});

test('without --allow-writes no POST is sent on loopback either, and the output names the option', async () => {
  const methods = new Set<string>();
  const url = await startForTest({
    createBehaviour: () => (request, asMock) => {
      methods.add(request.method);
      return asMock(request);
    },
  });
  const { exitCode, stdout } = await runInTurn([url]);
  expect([exitCode, [...methods]]).toEqual([0, ['GET']]);
  for (const id of ['create-pet/success', 'replay/createPet-201', 'replay/createPet-400']) {
    expect(stdout).toMatch(
      RegExp(`^  it adds (?:an animal|animals), .*--allow-writes.*\n {4}\\d+ clauses?: .*\\b${id}\\b`, 'm'),
    );
  }
});

test.for(['127.0.0.1:9', 'localhost:9', '[::1]:9', 'staging.example'])(
  'at %s the suite writes only with --allow-writes, whatever the environment says',
  (host) => {
    vi.stubEnv('ANIMAL_STORE_API_KEY', 'test-key');
    for (const name of ['ALLOW_WRITES', 'INSECURE']) {
      vi.stubEnv(name, 'true');
      vi.stubEnv(`ANIMAL_STORE_${name}`, 'true');
    }
    const parse = (...flags: string[]) => parseVerifyArguments([`http://${host}/v1`, ...flags]);
    expect(parse()).toMatchObject({ allowWrites: false, insecure: false });
    expect(parse('--read-only').allowWrites).toBe(false);
    expect(parse('--allow-writes').allowWrites).toBe(true);
  },
);

test('--only runs some clauses, with --quickstart those of the quickstart too', async () => {
  const url = await startForTest();
  const only = ['quickstart', 'get-pet', 'list-pets/limit-default'].flatMap((id) => ['--only', id]);
  const { exitCode, stdout } = await runInTurn([
    url,
    '--allow-writes',
    ...only,
    '--verbose',
    '--quickstart',
    new URL(url).origin,
  ]);
  expect(exitCode).toBe(0);
  const ids = [...stdout.matchAll(/^ {2}passed +(\S+)/gm)].map(([, id]) => id);
  const wanted = /^(?:quickstart|get-pet)\/|\/limit-default$/;
  expect(ids).toEqual(clauses.map(({ id }) => id).filter((id) => wanted.test(id)));
});

test('--list needs no deployment', async () => {
  const { exitCode, stdout } = await runInTurn(['--list'], '');
  expect(exitCode).toBe(0);
  for (const { id, sentence } of clauses) expect(stdout).toContain(`\n  ${id.padEnd(36)} ${sentence}`);
  for (const [open, answers] of clauses.flatMap(({ tolerated = {} }) => Object.entries(tolerated)))
    expect(stdout).toContain(`  left open: ${open}; tolerated: ${answers}\n`);
});

test('a key that is refused is told at once', async () => {
  const url = await startForTest();
  const { exitCode, stdout, stderr } = await runInTurn([url], 'another-key');
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toBe(`animal-store-verify: ${url} refuses the API key: GET /pets with it is answered 401\n`);
});

const gone = 'http://127.0.0.1:9/v1';

test.for<[string[], string, string?]>([
  [['nowhere'], 'the base URL must be a URL such as https://staging.example/v1, with http or https'],
  [[`${gone}?x=1`], 'the base URL must not contain a query'],
  [
    ['http://:hunter2@127.0.0.1:9/v1'],
    'the base URL must not contain credentials: leave out the part before the @',
  ],
  [
    [gone, '--quickstart', 'http://me:hunter2@127.0.0.1:9'],
    '--quickstart must not contain credentials: leave out the part before the @',
  ],
  [[gone], `${gone} cannot be reached: `],
  [[gone], 'an API key is needed: --api-key, or ANIMAL_STORE_API_KEY in the environment', ''],
  [[gone, '--api-key', 'Bearer x'], '--api-key must be a key without "Bearer" before it'],
  [[gone, '--header', 'Host: x'], "Host is the suite's own."],
  [[gone, '--header', 'x'], '--header must be "Name: value"'],
  [[gone, '--reporter', 'json', '--reporter', 'junit'], 'two reports cannot both go to stdout'],
  [[gone, '--reporter', 'json=/nowhere/x'], '--reporter: /nowhere/x could not be written'],
  [[gone, '--reporter', 'pdf'], '--reporter must be one of terminal, junit, json, html, github, not "pdf"'],
  [[gone, '--ca', import.meta.filename], 'holds no certificate in PEM'],
  [[gone, '--ca', '/nowhere'], '--ca: /nowhere could not be read'],
  [[gone, '--timeout', '0'], '--timeout must be an integer from 1 to 3600000, not 0'],
  [[gone, '--only', 'nothing'], '--list shows all of them'],
  [[gone, '--baseline', import.meta.filename], 'is not a report of version 2'],
  [[gone, '--allow-writes', '--read-only'], 'cannot be combined'],
])('%j: nothing could be told', async ([args, message, key = 'test-key']) => {
  vi.stubEnv('ANIMAL_STORE_API_KEY', key);
  const error = await Promise.resolve(args)
    .then(parseVerifyArguments)
    .then(verify)
    .catch((failure) => failure);
  expect(`${error?.constructor.name}: ${error?.message}`).toMatch(/^(?:UsageError|CouldNotTell): [^\n]+$/);
  expect(error.message).toContain(message);
  expect(error.message).not.toContain('hunter2');
});

test('a usage error is one line, with exit code 2', async () => {
  const { exitCode, stdout, stderr } = await runCli([]);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^animal-store-verify: the base URL of a deployment is missing[^\n]*\n$/);
});

test.for([
  [gone, '--timeout', 'MyOwnKey99'],
  [gone, '--quickstart', 'MyOwnKey99'],
  [gone, '--reporter', 'MyOwnKey99'],
  [gone, '--reporter', 'json=/nowhere/MyOwnKey99'],
  [gone, '--only', 'MyOwnKey99'],
  [gone, '--MyOwnKey99'],
  [gone, '--api-key:GluedKey77'],
  [gone, '--keyGluedKey77'],
  [gone, '--xGluedKey77'],
  [gone, '--quickstart', 'http://user:GluedKey77@localhost'],
  [gone, 'MyOwnKey99'],
  ['MyOwnKey99'],
  ['http://127.0.0.1:9/MyOwnKey99'],
  [gone, '--baseline', 'MyOwnKey99'],
])('of %j no key is repeated', async (args) => {
  const { exitCode, stdout, stderr } = await runInTurn(args, 'MyOwnKey99');
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/^animal-store-verify: [^\n]+\n$/);
  expect(stdout + stderr).not.toMatch(/MyOwnKey|wnKey99|GluedKey|luedKey77/i);
});

test('the checked proxy before the mock conforms', async () => {
  const mock = await startMock({ port: 0, log: 'silent', checkedProxy: true });
  onTestFinished(mock.close);
  expect((await runInTurn([mock.checkedUrl ?? '', '--allow-writes'])).exitCode).toBe(0);
});
