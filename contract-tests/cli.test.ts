import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request as sendRequest } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startMock } from '../mock/server.ts';
import { catalogue } from './catalogue.ts';
import { MOST_ADDED } from './checks/checks.ts';
import type { Deployment } from './deployments/deployment.ts';
import { startDeployment } from './deployments/start-deployment.ts';

/** Each run of the command loads Vitest. */
vi.setConfig({ testTimeout: 30_000 });

const certificates = join(import.meta.dirname, '../mock/testing/certificates');
const cli = join(import.meta.dirname, 'cli.ts');

interface CliResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command with a key in the environment. */
function runCli(args: readonly string[], key: string | undefined = 'test-key'): Promise<CliResult> {
  const { ANIMAL_STORE_API_KEY: _, ...environment } = process.env;
  const env = key === undefined ? environment : { ...environment, ANIMAL_STORE_API_KEY: key };
  return new Promise((resolve) => {
    execFile(process.execPath, [cli, ...args], { env }, (error, stdout, stderr) => {
      resolve({ exitCode: Number(error?.code ?? 0), stdout, stderr });
    });
  });
}

async function startForTest(deployment: Partial<Deployment> = {}): Promise<string> {
  const { url, close } = await startDeployment({ name: 'is tried', breaks: [], ...deployment });
  onTestFinished(close);
  return url;
}

/** Breaks one clause. */
const withoutMaximum: Partial<Deployment> = {
  createBehaviour: () => (request, asMock) => {
    const query = new URLSearchParams(request.query);
    if (query.get('limit') === '5') query.set('limit', '6');
    return asMock({ ...request, query });
  },
};

test('a deployment that conforms: exit code 0, every clause and the cost', async () => {
  const url = await startForTest();
  const { exitCode, stdout, stderr } = await runCli([url]);
  expect([exitCode, stderr]).toEqual([
    0,
    `verifying ${url}; the suite adds at most ${MOST_ADDED} animals, named "contract-test …", which stay there ` +
      '(more if it accepts what it should refuse)\n',
  ]);
  const tried = catalogue.filter(({ id }) => !id.startsWith('quickstart/'));
  for (const { id } of tried) expect(stdout).toContain(`  passed   ${id} `);
  expect(stdout).toMatch(
    / conforms: \d+ passed, 0 failed, 0 skipped \(\d+ requests, \d+ animals added, [\d.]+ s\)\n$/,
  );
  expect(Number(/(\d+) animals added/.exec(stdout)?.[1])).toBeLessThanOrEqual(MOST_ADDED);
});

test('a deployment that does not: exit code 1, the clause, what was expected and a curl line', async () => {
  const { exitCode, stdout } = await runCli([await startForTest(withoutMaximum)]);
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(
    /^ {2}FAILED {3}list-pets\/limit-is-a-maximum .*\n +expected at most \d+ animals, got \d+\n +curl /m,
  );
  expect(stdout).toContain(' does not conform: ');
});

test('reports go to the files that are named, without the key', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'verify-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = ['json', 'junit', 'html', 'github', 'terminal'].map(
    (name) => [name, join(folder, name)] as const,
  );
  const key = 'SuperSecret42';
  const url = await startForTest({ ...withoutMaximum, options: { apiKeys: [key] } });
  const { stdout, stderr } = await runCli(
    [url, ...files.flatMap(([name, file]) => ['--reporter', `${name}=${file}`])],
    key,
  );
  expect(stdout).toBe('');
  const texts = Object.fromEntries(files.map(([name, file]) => [name, readFileSync(file, 'utf8')]));
  for (const text of [stderr, ...Object.values(texts)]) expect(text).not.toMatch(/SuperSecret/i);
  expect(JSON.parse(texts.json ?? '')).toMatchObject({ conclusion: 'does not conform', baseUrl: url });
  expect(texts.junit).toMatch(/<testsuites [^>]*failures="1"/);
  expect(texts.html).toMatch(/^<!doctype html>.*does not conform/s);
  expect(texts.html).not.toMatch(/(?:src|href)=/);
  expect(texts.github).toMatch(/^::error title=list-pets\/limit-is-a-maximum::/m);
  expect(texts.terminal).toContain('FAILED');
});

test('no form of a key that a check makes of it is printed', async () => {
  const key = 'sEcret-Key-9xQz';
  // Whatever is sent is let pass, so that every form of the key is shown.
  const url = await startForTest({
    options: { apiKeys: [key] },
    createBehaviour: () => (request, asMock) =>
      asMock({ ...request, headers: { ...request.headers, authorization: `Bearer ${key}` } }),
  });
  const { exitCode, stdout } = await runCli(
    [url, '--reporter', 'terminal', '--reporter', 'json', '--header', 'X-Gateway: GatewaySecret'],
    key,
  );
  expect(exitCode).toBe(1);
  const forms = [
    key,
    key.slice(0, -1),
    key.slice(1),
    'SeCRET-kEY-9XqZ',
    Buffer.from(`${key}:`).toString('base64'),
  ];
  for (const form of [...forms, 'GatewaySecret'])
    expect(stdout.toLowerCase()).not.toContain(form.toLowerCase());
});

test('what failed in the baseline fails no more', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'verify-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'baseline.json');
  const only = ['--only', 'list-pets/limit-is-a-maximum', '--only', 'list-pets/success'];
  const url = await startForTest(withoutMaximum);
  expect((await runCli([url, ...only, '--reporter', `json=${file}`])).exitCode).toBe(1);
  expect((await runCli([url, ...only, '--baseline', file])).exitCode).toBe(0);
  const other = await startForTest();
  await runCli([other, ...only, '--reporter', `json=${file}`]);
  const { exitCode, stderr } = await runCli([url, ...only, '--baseline', file]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain('worse: list-pets/limit-is-a-maximum\n');
});

test('in read-only mode no POST is sent, and what needs one is skipped', async () => {
  const methods = new Set<string>();
  const url = await startForTest({
    createBehaviour: () => (request, asMock) => {
      methods.add(request.method);
      return asMock(request);
    },
  });
  const { exitCode, stdout } = await runCli([url, '--read-only']);
  expect([exitCode, [...methods]]).toEqual([0, ['GET']]);
  expect(stdout).toMatch(
    /^ {2}skipped {2}create-pet\/success .*\n +it would write, which is not allowed here/m,
  );
});

test('with --quickstart the quickstart is tried too', async () => {
  const mock = await startMock({ port: 0, log: 'silent' });
  onTestFinished(mock.close);
  const { exitCode, stdout } = await runCli([
    mock.url,
    ...['--only', 'quickstart', '--quickstart', new URL(mock.url).origin],
  ]);
  expect(exitCode).toBe(0);
  expect(stdout.match(/^ {2}passed +quickstart\/\S+/gm)).toHaveLength(3);
});

test.for([['--ca', join(certificates, 'ca.pem')], ['--insecure']])('https with %j', async (options) => {
  const mock = await startMock({ port: 0, log: 'silent' });
  onTestFinished(mock.close);
  const pair = {
    cert: readFileSync(join(certificates, 'localhost.pem')),
    key: readFileSync(join(certificates, 'localhost-key.pem')),
  };
  const server = createServer(pair, (request, response) => {
    const { method, url: path, headers } = request;
    const onward = sendRequest(new URL(mock.url).origin, { method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `https://localhost:${(server.address() as AddressInfo).port}/v1`;
  const { exitCode, stdout } = await runCli([url, ...options]);
  expect([exitCode, stdout.match(/ \d+ failed, 0 skipped/g) ?? stdout]).toEqual([
    0,
    [' 0 failed, 0 skipped'],
  ]);
  expect((await runCli([url])).exitCode).toBe(2);
});

test('the checked proxy before the mock conforms', async () => {
  const mock = await startMock({ port: 0, log: 'silent', checkedProxy: true });
  onTestFinished(mock.close);
  expect((await runCli([mock.checkedUrl ?? ''])).exitCode).toBe(0);
});

test('--only runs some clauses', async () => {
  const { exitCode, stdout } = await runCli([
    await startForTest(),
    '--only',
    'get-pet',
    '--only',
    'list-pets/limit-default',
  ]);
  expect(exitCode).toBe(0);
  const ids = [...stdout.matchAll(/^ {2}passed +(\S+)/gm)].map(([, id]) => id);
  expect(ids.toSorted()).toEqual(
    catalogue
      .map(({ id }) => id)
      .filter((id) => /^get-pet\/|\/limit-default$/.test(id))
      .toSorted(),
  );
});

test('--list needs no deployment', async () => {
  const { exitCode, stdout } = await runCli(['--list'], undefined);
  expect(exitCode).toBe(0);
  for (const { id, sentence } of catalogue)
    expect(stdout).toMatch(new RegExp(`^  ${id} .*${RegExp.escape(sentence)}`, 'm'));
});

test('a key that is refused is told at once', async () => {
  const url = await startForTest();
  const { exitCode, stdout, stderr } = await runCli([url], 'another-key');
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toBe(`animal-store-verify: ${url} refuses the API key: GET /pets with it is answered 401\n`);
});

test.for([
  [[], 'the base URL of a deployment is missing'],
  [['nowhere'], 'It must be a URL such as https://staging.example/v1.'],
  [['http://127.0.0.1:9/v1'], 'http://127.0.0.1:9/v1 cannot be reached: '],
  [['http://127.0.0.1:9/v1', '--timeout', '0'], 'It must be an integer from 1 to 3600000.'],
  [['http://127.0.0.1:9/v1', '--only', 'nothing'], '--list shows all of them'],
  [['http://127.0.0.1:9/v1', '--reporter', 'pdf'], 'It must be one of terminal, junit, json, html, github.'],
  [['http://127.0.0.1:9/v1', '--header', 'x'], 'It must be "Name: value".'],
  [['http://127.0.0.1:9/v1', '--ca', '/nowhere'], '--ca: /nowhere could not be read'],
  [['http://127.0.0.1:9/v1', '--baseline', cli], 'is no report as --reporter json writes it'],
  [['http://127.0.0.1:9/v1', '--allow-writes', '--read-only'], 'cannot be combined'],
] as const)('%j: nothing could be told', async ([args, message]) => {
  const { exitCode, stdout, stderr } = await runCli(args);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^animal-store-verify: [^\n]+\n$/);
  expect(stderr).toContain(message);
});

test('without a key nothing could be told', async () => {
  const { exitCode, stderr } = await runCli(['http://127.0.0.1:9/v1'], '');
  expect(exitCode).toBe(2);
  expect(stderr).toContain('an API key is needed: --api-key, or ANIMAL_STORE_API_KEY in the environment');
});
