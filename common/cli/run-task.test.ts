import { type StdioOptions, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describeStartFailure } from './run-task.ts';

// Root may listen on any port, so this failure cannot be had.
test('a port that the user may not use is named, and an internal error has a stack trace', () => {
  const error = { code: 'EACCES', syscall: 'listen', port: 80, address: '::', message: 'listen EACCES' };
  const message = 'This user may not listen on port 80 of ::. Try --port 8080.';
  expect(describeStartFailure(error)).toEqual({ message, exitCode: 2 });
  const describe = (port: number, hasCommand: boolean) =>
    describeStartFailure({ ...error, code: 'EADDRINUSE', port }, { portFlag: '--checked-port', hasCommand })
      .message;
  // The command gets the URL of any port, and an app needs one that stays.
  expect(describe(4011, true)).toBe(
    'Port 4011 of :: is in use. Try --checked-port 0 if the command takes its URL from a variable.',
  );
  expect(describe(4011, false)).toBe('Port 4011 of :: is in use. Try --checked-port 4021.');
  expect(describe(65_535, false)).toBe('Port 65535 of :: is in use. Try --checked-port 65525.');
  const trace = expect.stringMatching(/TypeError: oops\n +at /);
  expect(describeStartFailure(new TypeError('oops'))).toEqual({ message: trace, exitCode: 2 });
});

/** Creates a program that runs a task. @param result an expression of its exit code */
function toProgram(result: string): string {
  const file = JSON.stringify(new URL('run-task.ts', import.meta.url).href);
  return `const { runTask } = await import(${file}); await runTask('mock', async () => ${result})`;
}

function run(program: string, stdio: StdioOptions = 'pipe') {
  return spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8', stdio });
}

test.for([
  ['that calls process.exit', 'process.exit()'],
  ['that nothing continues', 'new Promise(() => {})'],
])('a command %s has not done its task, and its exit code is not 0', ([, command = '']) => {
  const ended = run(toProgram(command));
  expect([ended.stdout, ended.status]).toEqual(['', 2]);
});

test.skipIf(!existsSync('/dev/full')).for([
  [0, 2],
  [1, 1],
])('output that a full disk does not take is said, and the exit code %i becomes %i', ([own, expected]) => {
  const full = openSync('/dev/full', 'w');
  const program = `${toProgram(`(process.stdout.write('a report'), ${own})`)}; process.stdout.write('', () => process.exit());`;
  const { stderr, status } = run(program, ['ignore', full, 'pipe']);
  closeSync(full);
  expect([stderr, status]).toEqual([
    'mock: the output could not be written: no space left on device\n',
    expected,
  ]);
});
