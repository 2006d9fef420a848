import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { endTree, needsGroup } from '../common/cli/end-tree.ts';
import { UsageError } from '../common/cli/usage-error.ts';
import { describeControl } from '../common/text/trim-key.ts';

/** How long the command may take, in seconds. */
const LONGEST_RUN = 60;

/** The longest output, in characters. No server accepts a header as long as that. */
const LONGEST_OUTPUT = 16_384;

/** How much of the end of stderr a message has, in characters. */
const LONGEST_REASON = 1_000;

/**
 * Runs --api-key-command in a shell without stdin. Nothing that it has started outlives it.
 *
 * @param signal ends the command.
 * @returns what the command prints, without blanks at its ends.
 * @throws UsageError if that is no key
 */
export async function runKeyCommand(command: string, signal?: AbortSignal): Promise<string> {
  const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'], detached: needsGroup });
  let ending: string | undefined;
  const endBecause = (reason: string) => {
    ending ??= reason;
    endTree(child);
  };
  const endWithRun = () => endBecause('because the run ended');
  const timer = setTimeout(endBecause, LONGEST_RUN * 1000, `after ${LONGEST_RUN} s`);
  signal?.addEventListener('abort', endWithRun);
  process.on('exit', endWithRun);
  if (signal?.aborted) endWithRun();
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
    if (stdout.length > LONGEST_OUTPUT)
      endBecause(`because it printed more than ${LONGEST_OUTPUT} characters`);
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr = keepEnd(stderr + text);
  });
  const [code, endedBy] = await once(child, 'close').catch(({ message }) => {
    throw new UsageError(`--api-key-command could not be started: ${message}`);
  });
  clearTimeout(timer);
  signal?.removeEventListener('abort', endWithRun);
  process.off('exit', endWithRun);
  // The shell may have started processes in the background.
  endTree(child);
  const reason = stderr.trim() === '' ? '' : `. ${stderr.trim()}`;
  if (ending !== undefined) throw new UsageError(`--api-key-command was ended ${ending}${reason}`);
  if (endedBy !== null) throw new UsageError(`--api-key-command was ended by ${endedBy}${reason}`);
  if (code !== 0) throw new UsageError(`--api-key-command ended with ${code}${reason}`);
  const key = stdout.trim();
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  const control = describeControl(key);
  if (control !== undefined)
    throw new UsageError(`the key that --api-key-command prints must not contain ${control}`);
  throw new UsageError('--api-key-command must print a key, in printable ASCII without spaces');
}

/** Returns the end of a long text, which begins with a whole word: half of a key could not be redacted. */
function keepEnd(text: string): string {
  return text.length > LONGEST_REASON ? text.slice(-LONGEST_REASON).replace(/^\S*/, '…') : text;
}
