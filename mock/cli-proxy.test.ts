import { expect, test } from 'vitest';
import { runCli, startCli } from './testing/run-cli.ts';
import { startTestMock } from './testing/start-test-mock.ts';

const listening = /^checked proxy listening on (\S+)\nupstream: \S+\n/;

test('it stands before a deployment, tells each violation and at the end their count', async () => {
  const mock = await startTestMock();
  const { child, ended, waitFor } = startCli(['proxy', mock.url, '--port', '0']);
  const [, url = ''] = listening.exec(await waitFor(listening)) ?? [];
  expect(new URL(url).pathname).toBe('/v1');
  const headers = { Authorization: 'Bearer test-key' };
  expect((await fetch(`${url}/pets`, { headers })).headers.has('sl-violations')).toBe(false);
  for (const limit of ['0', '-1']) {
    const answer = await fetch(`${url}/pets?limit=${limit}`, { headers });
    expect([answer.status, answer.headers.has('sl-violations')]).toEqual([400, true]);
  }
  child.kill('SIGTERM');
  const { stdout, stderr, exitCode } = await ended;
  expect([stderr, exitCode]).toEqual(['', 0]);
  const line = 'error listPets request.query.limit minimum';
  const told = `${line}: Request query parameter limit must be >= 1\n`;
  expect(stdout.replace(listening, '')).toBe(`${told}${told}2 violations in 3 exchanges\n2 × ${line}\n`);
});

test('without the header a response is the upstream’s alone', async () => {
  const mock = await startTestMock();
  const { waitFor } = startCli(['proxy', mock.url, '--port', '0', '--no-violation-header']);
  const [, url = ''] = listening.exec(await waitFor(listening)) ?? [];
  const answer = await fetch(`${url}/pets?limit=0`);
  expect([answer.status, answer.headers.has('sl-violations')]).toEqual([401, false]);
});

test.for([
  [[], "missing required argument 'upstream'"],
  [['staging.example/v1'], 'the upstream must be a base URL'],
  [['ftp://staging.example/v1'], 'the upstream must be a base URL'],
  [['http://127.0.0.1/v1', '--port', 'x'], '--port must be an integer from 0 to 65535, not "x"'],
  [['http://127.0.0.1/v1', '--host', ''], '--host must be a host name or an IP address, not ""'],
  [
    ['http://127.0.0.1/v1', '--timeout', '0'],
    '--timeout must be an integer from 1 to 3600000, in milliseconds',
  ],
  [['http://127.0.0.1/v1', '--ca', '/nowhere.pem'], '--ca: /nowhere.pem could not be read'],
] as const)('%j is a usage error', async ([args, message]) => {
  const { stdout, stderr, exitCode } = await runCli(['proxy', ...args]);
  expect([stdout, exitCode]).toEqual(['', 2]);
  expect(stderr).toMatch(/^animal-store-mock: [^\n]+\n$/);
  expect(stderr).toContain(message);
});
