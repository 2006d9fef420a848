import { once } from 'node:events';
import spawn from 'cross-spawn';
import { endTree, needsGroup } from '../../common/cli/end-tree.ts';
import { describeSpawnError } from '../../common/cli/start-command.ts';

/** `timeout`: the command did not end in time. */
export type Outcome = 'passed' | 'failed' | 'timeout';

/** Time without output after which `onSilence` is called, in ms. */
export const SILENCE = 60_000;

const LONGEST_OUTPUT = 100_000;

export interface CommandRun {
  readonly outcome: Outcome;
  /** Its output, or the last lines of a longer one: a cut inside a line could leave a part of a key. */
  readonly output: string;
  /** In milliseconds. */
  readonly ms: number;
}

/**
 * Runs a command with hidden output until it ends, or until its time is over.
 * @param timeout in milliseconds. @param signal ends the command.
 * @param onSilence is called once if the command prints nothing for a minute.
 * @throws UsageError if the command cannot be started.
 */
export async function runCommand(
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  timeout: number,
  signal: AbortSignal,
  onSilence?: () => void,
): Promise<CommandRun> {
  const [name = '', ...args] = words;
  const start = performance.now();
  // A process group, so that everything that the command has started ends with it.
  const child = spawn(name, args, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: needsGroup });
  const end = () => endTree(child);
  let output = '';
  let isCut = false;
  const silence = onSilence && setTimeout(onSilence, SILENCE);
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      silence?.refresh();
      output += chunk;
      if (output.length <= LONGEST_OUTPUT) return;
      output = output.slice(-LONGEST_OUTPUT);
      isCut = true;
    });
  signal.addEventListener('abort', end);
  await once(child, 'spawn').catch((error) => {
    clearTimeout(silence);
    throw describeSpawnError(name, error);
  });
  let outcome: Outcome | undefined;
  const timer = setTimeout(() => {
    outcome = 'timeout';
    end();
  }, timeout);
  const [code] = await once(child, 'exit');
  clearTimeout(timer);
  clearTimeout(silence);
  signal.removeEventListener('abort', end);
  end();
  outcome ??= code === 0 ? 'passed' : 'failed';
  if (isCut) output = output.replace(/^.*\n?/, '');
  return { outcome, output, ms: performance.now() - start };
}
