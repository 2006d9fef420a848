import { expect, test } from 'vitest';
import { describeStartFailure } from './describe-start-failure.ts';

// What the rest of the failures look like is seen in cli.test.ts; root may listen on any port, so this one cannot be had.
test('a port that the user may not have is named', () => {
  const error = Object.assign(new Error('listen EACCES'), {
    code: 'EACCES',
    syscall: 'listen',
    port: 80,
    address: '::',
  });
  expect(describeStartFailure(error)).toEqual({
    message: 'this user may not listen on port 80 of ::; choose another with --port',
    exitCode: 1,
  });
});

test('a fault of the mock has a stack trace', () => {
  expect(describeStartFailure(new TypeError('oops'))).toEqual({
    message: expect.stringMatching(/TypeError: oops\n +at /),
    exitCode: 1,
  });
});
