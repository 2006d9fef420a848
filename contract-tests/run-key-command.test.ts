import { execFileSync } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { UsageError } from '../common/cli/usage-error.ts';
import { createFolder } from '../tools/testing/create-folder.ts';
import { runKeyCommand } from './run-key-command.ts';

test('the key is what the command prints on stdout, without blanks at its ends', async () => {
  expect(await runKeyCommand("echo a-hint >&2; printf '\\n \\t a-key=~! \\n\\n'")).toBe('a-key=~!');
});

const noKey = '--api-key-command must print a key, in printable ASCII without spaces';

test.for<[command: string, reason: string]>([
  ["printf 'zo\\303\\253'", noKey],
  ["printf '\\303\\253key'", noKey],
  ['true', noKey],
  ['echo a key', noKey],
  ['exit 7', '--api-key-command ended with 7'],
  ['echo no entry >&2; exit 1', '--api-key-command ended with 1. no entry'],
  ['kill -KILL $$', '--api-key-command was ended by SIGKILL'],
  ['yes', '--api-key-command was ended because it printed more than 16384 characters'],
])('the reason why %j gives no key', async ([command, reason]) => {
  await expect(runKeyCommand(command)).rejects.toThrow(new UsageError(reason));
});

test('a command that takes too long is ended, and its reason is told', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const listeners = process.listenerCount('exit');
  const { signal } = new AbortController();
  const ended = runKeyCommand('echo asks for a code >&2; sleep 600', signal).catch(({ message }) => message);
  vi.advanceTimersByTime(59_999);
  const another = runKeyCommand('echo a-key');
  expect(await another).toBe('a-key');
  vi.advanceTimersByTime(1);
  expect(await ended).toMatch(/^--api-key-command was ended after 60 s(?:\. asks for a code)?$/);
  // Nothing keeps the process alive.
  expect([vi.getTimerCount(), process.listenerCount('exit')]).toEqual([0, listeners]);
});

test('a command is ended at once if the run has ended before', async () => {
  const ended = runKeyCommand('sleep 600; echo a-key', AbortSignal.abort());
  await expect(ended).rejects.toThrow('--api-key-command was ended because the run ended');
});

test.skipIf(process.platform === 'win32')(
  'what the command leaves in the background ends with it',
  async () => {
    const pipe = join(createFolder(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    // The end of the pipe comes when nothing can write to it any more.
    const written = text(createReadStream(pipe));
    expect(await runKeyCommand(`(sleep 600; echo late) > "${pipe}" 2>&1 & echo a-key`)).toBe('a-key');
    expect(await written).toBe('');
  },
);
