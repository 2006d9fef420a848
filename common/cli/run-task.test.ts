import { expect, test } from 'vitest';
import { describeStartFailure } from './run-task.ts';

// Root may listen on any port, so this failure cannot be had.
test('a port that the user may not use is named, and an internal error has a stack trace', () => {
  const error = { code: 'EACCES', syscall: 'listen', port: 80, address: '::', message: 'listen EACCES' };
  const message = 'This user may not listen on port 80 of ::. Try --port 0.';
  expect(describeStartFailure(error)).toEqual({ message, exitCode: 2 });
  expect(describeStartFailure({ ...error, code: 'EADDRINUSE' }, '--checked-port')).toEqual({
    message: 'Port 80 of :: is in use. Try --checked-port 0.',
    exitCode: 2,
  });
  const trace = expect.stringMatching(/TypeError: oops\n +at /);
  expect(describeStartFailure(new TypeError('oops'))).toEqual({ message: trace, exitCode: 2 });
});
