import { expect, test } from 'vitest';
import { toShellLine } from './start-command.ts';

// What a command does to a mock and a proxy is seen in their cli-command.test.ts.
test.for([
  [['npm', 'run', 'e2e'], 'npm run e2e'],
  [
    ['npx', 'playwright', 'test', '--grep', 'adds an animal'],
    'npx playwright test --grep ^"adds^ an^ animal^"',
  ],
  [['C:\\Program Files\\e2e.cmd', 'a&b', '100%'], 'C:\\Program^ Files\\e2e.cmd ^"a^&b^" ^"100^%^"'],
  [['node', '-e', 'say("hi")'], 'node -e ^"say^(\\^"hi\\^"^)^"'],
  [['node', '', 'C:\\a dir\\'], 'node ^"^" ^"C:\\a^ dir\\\\^"'],
] as const)('%j is one line of cmd.exe', ([words, line]) => {
  expect(toShellLine(words)).toBe(line);
});
