import { expect, test } from 'vitest';
import { runMock } from '../../mock/run-mock.ts';
import { callCommand } from './call-command.ts';

test('a command that was called leaves no listener, of which Node allows ten', async () => {
  const before = process.listeners('SIGTERM');
  const args = ['--port', '0', '--no-checked-proxy', '--', process.execPath, '--eval', ''];
  expect(await callCommand('animal-store-mock', runMock, args)).toMatchObject({ stdout: '', exitCode: 0 });
  expect(process.listeners('SIGTERM')).toEqual(before);
});
