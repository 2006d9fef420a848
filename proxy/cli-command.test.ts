import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCli } from '../testing/run-cli.ts';
import { startTestMock } from '../testing/start-test-mock.ts';

const bin = join(import.meta.dirname, 'bin.js');

/** Runs the proxy before a mock, with a report, while a command runs. */
async function runBeside(...words: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'checked-proxy-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const report = join(folder, 'report.json');
  const mock = await startTestMock();
  const options = ['--port', '0', '--fail-on', 'error', '--report', report];
  const result = await runCli([mock.url, ...options, '--', ...words], { bin });
  return { ...result, report: existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined };
}

/** A program that asks for a path and ends with an exit code. */
const ask = (path: string, exitCode: number) => [
  ...[process.execPath, '-e'],
  `fetch(process.env.ANIMAL_STORE_URL + '${path}', { headers: { Authorization: 'Bearer test-key' } })
    .then((answer) => { console.log('answer', answer.status); process.exitCode = ${exitCode} })`,
];

test.for([
  ['/pets', 0, 0, true],
  ['/pets?limit=0', 0, 1, false],
  ['/pets', 5, 5, true],
  ['/pets?limit=0', 5, 5, false],
] as const)(
  'a command that asks for %s and ends with %i ends it with %i, and the report is written',
  async ([path, commandCode, expected, passed]) => {
    const { stdout, stderr, exitCode, report } = await runBeside(...ask(path, commandCode));
    expect([stderr, exitCode]).toEqual(['', expected]);
    expect(stdout).toMatch(/^checked proxy listening on .*\nanswer .* in 1 exchange\n/s);
    expect(report).toMatchObject({ passed, exchanges: 1 });
  },
);

test.for([
  [0, 2],
  [5, 5],
] as const)(
  'a command that asks for nothing and ends with %i ends it with %i: the gate saw no exchange',
  async ([commandCode, expected]) => {
    const { exitCode, report } = await runBeside(process.execPath, '-e', `process.exitCode = ${commandCode}`);
    expect(exitCode).toBe(expected);
    expect(report).toMatchObject({ passed: false, exchanges: 0 });
  },
);

test('a command that cannot be started is a usage error', async () => {
  const { stderr, exitCode, report } = await runBeside('no-such-program');
  expect(stderr).toBe(
    'animal-store-proxy: the command "no-such-program" could not be started: there is no such program\n',
  );
  expect([exitCode, report]).toEqual([2, expect.objectContaining({ passed: false, exchanges: 0 })]);
});
