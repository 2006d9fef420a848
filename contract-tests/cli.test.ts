import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFolder } from '../tools/testing/create-folder.ts';
import { listen } from '../tools/testing/listen.ts';
import { startCli } from '../tools/testing/run-cli.ts';
import { MOST_ADDED } from './client/run-limits.ts';
import { answerWith, replace } from './deployments/changes.ts';
import type { Answer } from './deployments/deployment.ts';
import { isCreation } from './deployments/messages.ts';
import { answered, createError } from './deployments/replies.ts';
import { clauses } from './rules/clauses.ts';
import { createFile, required } from './testing/command-words.ts';
import { cli, noMaximum, runCommand, startForTest } from './testing/run-suite.ts';

test('a deployment that conforms: exit code 0 with --strict too, and the cost, with --verbose every clause', async () => {
  const url = await startForTest();
  const args = [url, '--allow-writes', '--strict', '--at-least', `${required}`, '--verbose'];
  const { exitCode, stdout, stderr } = await runCommand(args);
  // A long run shows its progress now and then.
  expect([exitCode, stderr.replaceAll(/^… .*\n/gm, '')]).toEqual([
    0,
    `Verifying ${url}. It adds up to ${MOST_ADDED} animals, most of them named "contract-test …". They cannot be deleted.\n`,
  ]);
  for (const { id } of clauses) expect(stdout).toContain(`\n  passed  ${id} `);
  expect(stdout).toMatch(
    /^http:.* conforms: (\d+) of \1 required clauses tested\n(?:.*\n)*\1 passed, 0 failed, 0 not tested\. Recommendations: \d+ met, 0 not met \(\d+ requests, \d+ animals added, [\d.]+ s\)\n$/,
  );
  expect(Number(/(\d+) animals added/.exec(stdout)?.[1])).toBeLessThanOrEqual(MOST_ADDED);
});

test('a deployment that does not conform: exit code 1, and the finding in colours on request', async () => {
  const args = [await startForTest(noMaximum), '--only', 'list-pets'];
  const { exitCode, stdout } = await runCommand(args);
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(
    /^http.* does not conform: 1 finding, \d+ of \d+ required clauses .* Only: list-pets\n\n1\. GET \/pets returns no more animals than limit\. {2}list-pets\/limit/,
  );
  expect((await runCommand(args, 'test-key', { FORCE_COLOR: '1' })).stdout).toContain('\x1b[31m1.\x1b');
});

test('--api-key-command runs once, a key that is refused later ends the run, and no key is shown', async () => {
  const keys = ['first-key-1234', 'second-key-5678'];
  let requests = 0;
  const createAnswer = (): Answer => async (request, asMock) => {
    requests += 1;
    const hasFirst = request.headers.authorization === `Bearer ${keys[0]}`;
    return requests > 20 && hasFirst ? createError(401) : asMock(request);
  };
  const url = await startForTest({ options: { apiKeys: keys }, createAnswer });
  const file = join(createFolder(), 'key');
  writeFileSync(file, keys[0] as string);
  const command = `cat ${file}; echo ${keys[1]} > ${file}`;
  const args = [url, '--only', 'list-pets', '--api-key-command', command, '--reporter', 'json'];
  const { exitCode, stdout, stderr } = await runCommand(args);
  const reason = expect.stringMatching(/^the key was accepted until request \d+ and then refused$/);
  expect(JSON.parse(stdout)).toMatchObject({ verdict: 'no verdict', reason });
  expect(readFileSync(file, 'utf8').trim()).toBe(keys[1]);
  expect([exitCode, keys.filter((key) => (stdout + stderr).includes(key))]).toEqual([2, []]);
});

test('SIGTERM ends a run that waits for --api-key-command, and the command', async () => {
  const server = createServer();
  const started = once(server, 'connection');
  const { port } = new URL(await listen(server));
  // The connection lives as long as the command.
  const command = `"${process.execPath}" -e "require('net').connect(${port}, '127.0.0.1')"; echo a-key`;
  const { child, ended } = startCli(['http://127.0.0.1:9/v1', '--api-key-command', command], { bin: cli });
  const [socket] = (await started) as [Socket];
  const closed = once(socket.resume(), 'close');
  child.kill('SIGTERM');
  const { exitCode, stderr } = await ended;
  await closed;
  expect(exitCode).toBe(143);
  expect(stderr).toContain('--api-key-command was ended because the run ended\n');
});

const manyLines = `for (let line = 0; line < 20000; line += 1) console.error('line ' + line + ' of a stack trace')`;

test.for([
  [
    'printf "a\\nkey"',
    /^the key that --api-key-command prints must not contain a line break \(U\+000A\), which is its character 2$/,
  ],
  [
    `"${process.execPath}" -e "${manyLines}; process.exitCode = 3"`,
    /^--api-key-command ended with 3\. … .{900,980} line 19999 of a stack trace$/,
  ],
] as const)(
  'the reason why --api-key-command %j gives no key is one short line',
  async ([command, reason]) => {
    const { exitCode, stderr } = await runCommand(
      ['http://127.0.0.1:9/v1', '--api-key-command', command],
      '',
    );
    const [, message] = /^animal-store-verify: (.*)\n$/.exec(stderr) ?? [];
    expect([exitCode, message]).toEqual([2, expect.stringMatching(reason)]);
  },
);

test('without stdin --api-key-command does not wait for input, and the command ends with 2', async () => {
  const args = ['http://127.0.0.1:9/v1', '--api-key-command', 'cat'];
  const { exitCode, stdout, stderr } = await startCli(args, { bin: cli, keepsStdin: true }).ended;
  const message = '--api-key-command must print a key, in printable ASCII without spaces';
  expect([exitCode, stdout, stderr]).toEqual([2, '', `animal-store-verify: ${message}\n`]);
});

test('a deployment that refuses additions conforms in part, which --strict makes exit code 1', async () => {
  const createAnswer = replace(answered(201, isCreation), createError(409));
  const only = ['create-pet', 'list-pets/success'].flatMap((id) => ['--only', id]);
  const args = [await startForTest({ createAnswer }), '--allow-writes', '--strict', ...only];
  const { exitCode, stdout, stderr } = await runCommand(args);
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(
    /^http.* conforms in part: .* not tested \(full store: \d+, --only: \d+\)\. Only: list-pets\/suc/m,
  );
  expect(stderr).toMatch(/^animal-store-verify: --strict: \d+ required clauses were not tested\. The rep/m);
});

test('a deployment that accepts no animal conforms in part, and names --category-id', async () => {
  // A service with animals would have to accept one like them.
  const empty = { options: { profile: 'empty' }, createAnswer: answerWith(isCreation, 400) } as const;
  const args = [await startForTest(empty), '--allow-writes', '--only', 'create-pet'];
  const { exitCode, stdout } = await runCommand(args);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(
    / conforms in part: no animal could be added, .*: --category-id <id>\. Only: create-pet\n/,
  );
});

test('without --allow-writes no POST is sent, on loopback either, and the output says where to test it', async () => {
  const methods = new Set<string>();
  const createAnswer = (): Answer => (request, asMock) => {
    methods.add(request.method);
    return asMock(request);
  };
  const url = await startForTest({ createAnswer });
  const { exitCode, stdout } = await runCommand([url]);
  expect([exitCode, [...methods]]).toEqual([0, ['GET']]);
  expect(stdout).toMatch(/ conforms in part: (\d+) of \1 required clauses tested, \d+ more need POST\n/);
  expect(stdout).toMatch(
    /^Not tested: \d+ clauses need POST, which adds animals that nobody can delete: test them on staging\.$/m,
  );
  expect(stdout).not.toContain('--allow-writes');
});

test('--only sends what the chosen clauses need, and neither it nor a read-only run is a gap for --strict', async () => {
  const args = [await startForTest(), '--only', 'list-pets/limit-bounds'];
  const { exitCode, stdout, stderr } = await runCommand([...args, '--strict', '--only', 'create-pet/stored']);
  expect([exitCode, stderr]).toEqual([0, expect.not.stringContaining('--strict')]);
  expect(stdout).toContain(
    ` conforms in part: 1 of ${required - 1} required clauses tested, ${required - 2} not tested (--only), 1 more needs POST. Only: list-pets/limit-bounds, create-pet/stored\n`,
  );
  expect(Number(/\((\d+) requests/.exec(stdout)?.[1])).toBeLessThan(100);
});

test('--at-least fails a job that has tested fewer required clauses, and says how many it has', async () => {
  const url = await startForTest();
  const args = [url, '--only', 'list-pets/limit-bounds'];
  const run = (least: string) => runCommand([...args, '--at-least', least]);
  expect((await run('1')).exitCode).toBe(0);
  const missed = await run('2');
  expect(missed.exitCode).toBe(2);
  expect(missed.stderr).toContain(
    'animal-store-verify: --at-least 2: 1 required clause was tested. The report has the details.\n',
  );
  const tooMany = await run('1000');
  expect([tooMany.exitCode, tooMany.stderr]).toEqual([
    2,
    expect.stringContaining(`--at-least must be an integer from 1 to ${required}, not 1000`),
  ]);
});

test('the report has every option of the run', async () => {
  const known = createFile('known.yaml');
  writeFileSync(known, '[]');
  const options = ['--strict', '--at-least', '1', '--max-rate', '500', '--header', 'X-Gateway: secret'];
  const args = [...options, '--known', known, '--only', 'list-pets/limit-bounds', '--reporter', 'json'];
  const { stdout } = await runCommand([await startForTest(), ...args]);
  const expected = { strict: true, atLeast: 1, maxRate: 500, headers: ['X-Gateway'], known: 0 };
  expect(JSON.parse(stdout).options).toMatchObject(expected);
});

test('--list needs no deployment and no key', async () => {
  const { exitCode, stdout } = await runCommand(['--list'], '');
  expect(exitCode).toBe(0);
  for (const { id, sentence } of clauses) expect(stdout).toContain(`\n  ${id.padEnd(36)} ${sentence}`);
  for (const [open, answers] of clauses.flatMap(({ tolerated = {} }) => Object.entries(tolerated)))
    expect(stdout).toContain(`  unspecified: ${open}. Accepted: ${answers}\n`);
});
