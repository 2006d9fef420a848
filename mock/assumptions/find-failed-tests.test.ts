import { expect, test } from 'vitest';
import { findFailedTests } from './find-failed-tests.ts';

test.for<[runner: string, lines: readonly string[], names: readonly string[]]>([
  ['TAP', ['ok 1 - adds', '    not ok 2 - lists # time=3ms', 'not ok 1 - lists'], ['lists']],
  [
    'node:test',
    ['✔ adds (1.2ms)', '  ✖ lists the newest (3.456789ms)', '✖ failing tests:'],
    ['lists the newest'],
  ],
  ['Vitest', ['\u001b[31m FAIL \u001b[39m src/a.test.ts > store > lists'], ['src/a.test.ts > store > lists']],
  [
    'Playwright',
    [
      '  ✘  1 a.spec.ts:2:1 › lists (114ms)',
      '  1) [chromium] › a.spec.ts:2:1 › lists ───────',
      '    Error: expect(received).toBe(expected)',
      '    attachment #1: requests of the mock (text/plain) ───',
      '    GET /v1/pets 200 3 ms',
      '  1 failed',
    ],
    ['[chromium] › a.spec.ts:2:1 › lists'],
  ],
  ['Jest', ['  ● store › lists'], ['store › lists']],
  ['pytest', ['FAILED tests/test_a.py::test_list - assert 1 == 2'], ['tests/test_a.py::test_list']],
  ['Go', ['--- FAIL: TestList (0.00s)'], ['TestList']],
])('the names of tests are read from the output of %s', ([, lines, names]) => {
  expect(findFailedTests(lines.join('\r\n'))).toEqual({ failedTests: names, excerpt: [] });
});

const stack = ['    at file:///app.mjs:4:65', '', 'Node.js v24.21.0', ''];
const assertion = [
  'AssertionError [ERR_ASSERTION]: equal',
  '1 !== 2',
  ...stack.slice(0, 1),
  'a',
  'b',
  'c',
  'd',
];

test.for<[string, lines: readonly string[], excerpt: readonly string[]]>([
  [
    'its last error',
    ['1', 'Error: first', assertion, stack].flat(),
    [...assertion.slice(0, 2), 'a', 'b', 'c'],
  ],
  [
    'its last error, also an indented one before attachments',
    [
      '1',
      '    Error: expected',
      '    Expected: 1',
      '    attachment #1: requests of the mock',
      '    GET /v1/pets 200',
      '2',
      '3',
    ],
    [
      '    Error: expected',
      '    Expected: 1',
      '    attachment #1: requests of the mock',
      '    GET /v1/pets 200',
      '2',
    ],
  ],
  ['or its last lines', ['1', '2', '', '3', '4', '5', '6', ...stack], ['2', '3', '4', '5', '6']],
])('of an output that names no test, %s are kept without the stack', ([, lines, excerpt]) => {
  expect(findFailedTests(lines.join('\n'))).toEqual({ failedTests: [], excerpt });
});
