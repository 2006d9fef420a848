import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runMock } from '../../mock/run-mock.ts';
import { runProxy } from '../../proxy/run-proxy.ts';
import { callCommand } from '../../tools/testing/call-command.ts';
import { createFolder } from '../../tools/testing/create-folder.ts';
import { replaceEarlier } from './report-failed-start.ts';

const commands = { mock: runMock, proxy: runProxy };

test.for<[command: keyof typeof commands, words: string, reason: string]>([
  [
    'proxy',
    'http://127.0.0.1:9/v1 --port 0 --api-key s3cr-key --contract /s3cr-key.yaml',
    '--contract: /[key].yaml could not be read',
  ],
  ['proxy', 'http://127.0.0.1:9/v1 --nonsense', "unknown option '--nonsense'"],
  ['proxy', 'check /nowhere.har', '/nowhere.har'],
  ['mock', '--port 0 --fail-on error --data /nowhere.json -- true', '/nowhere.json'],
  ['mock', '--port 0 --fail-on nonsense -- true', '--fail-on must be'],
  ['mock', '--try-behaviours', '--try-behaviours requires a command'],
])(
  'an older report of the %s does not pass for a run that could not start: %s',
  async ([command, words, reason]) => {
    const folder = createFolder({ 'r.xml': 'old', 'r.json': 'old' });
    for (const report of ['r.xml', 'r.json'].map((file) => join(folder, file))) {
      const [own = '', ...after] = words.split(/(?= -- )/);
      const argv = `${own} --report ${report}${after.join('')}`.split(' ');
      const { exitCode } = await callCommand(`animal-store-${command}`, commands[command], argv);
      expect(exitCode).toBe(2);
      const written = readFileSync(report, 'utf8');
      expect(written).toContain(
        report.endsWith('.xml') ? '<testcase classname="the run" name="no verdict"' : '"passed": false',
      );
      expect(written.replaceAll('&apos;', "'")).toContain(reason);
    }
  },
);

test.for<[how: string, words: readonly string[], variable: string]>([
  ['twice', ['--report', 'r.json', '--report', 'r.json'], ''],
  ['by its variable', [], 'ANIMAL_STORE_REPORT'],
  ['by a variable of a pipeline too', ['--report=r.json'], 'REPORT'],
])('an older report that is named %s does not pass either', async ([, words, variable]) => {
  const folder = createFolder({ 'r.json': 'old' });
  const file = join(folder, 'r.json');
  const argv = [...words.map((word) => word.replace('r.json', file)), '--fail-on', 'nonsense', '--', 'true'];
  await callCommand('animal-store-mock', runMock, argv, { [variable]: file });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ passed: false });
});

test('the report of another run stays if the one of this run cannot be written, and the reason is said', async () => {
  const file = join(createFolder({ 'r.json': 'old' }), 'r.json');
  for (const report of ['/nowhere/r.json', '/dev/full']) {
    const argv = ['--port', 'nonsense', '--fail-on', 'error', '--report', report, '--', 'true'];
    const { stderr, exitCode } = await callCommand('animal-store-mock', runMock, argv, {
      ANIMAL_STORE_REPORT: file,
    });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('animal-store-mock: --port must be')]);
    expect(readFileSync(file, 'utf8')).toBe('old');
  }
});

test('an older report that cannot be replaced, as on a full disk, is removed', () => {
  const file = join(createFolder({ 'r.json': '{"passed":true}' }), 'r.json');
  replaceEarlier(file, () => {
    throw new Error('ENOSPC');
  });
  expect(existsSync(file)).toBe(false);
});

test('a value that looks like the help keeps no older report', async () => {
  const file = join(createFolder({ 'r.json': 'old' }), 'r.json');
  await callCommand('animal-store-proxy', runProxy, [
    'check',
    '/nowhere.har',
    '--api-key',
    '-h',
    '--report',
    file,
  ]);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ passed: false });
});

test('whoever asks for the help keeps the report', async () => {
  const file = join(createFolder({ 'r.json': 'old' }), 'r.json');
  await callCommand('animal-store-proxy', runProxy, ['--report', file, '--help']);
  expect(readFileSync(file, 'utf8')).toBe('old');
});

test('a file that is named as the report too is not overwritten', async () => {
  const folder = createFolder({ 'traffic.har': 'recorded' });
  const file = join(folder, 'traffic.har');
  for (const option of [['--report', file], [`--report=${file}`]])
    expect(await callCommand('animal-store-proxy', runProxy, ['check', file, ...option])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('name the same file'),
    });
  expect(readFileSync(file, 'utf8')).toBe('recorded');
});
