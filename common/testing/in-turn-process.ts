// Gets rows of arguments, runs the command of its own argument with each, and tells how each ended.
import { pathToFileURL } from 'node:url';
import type { Ended } from './run-in-turn.ts';

const [node = '', , file = ''] = process.argv;
const streams = ['stdout', 'stderr'] as const;

// Each run adds its own.
for (const emitter of [process, process.stdout, process.stderr]) emitter.setMaxListeners(0);

process.once('message', async (rows: readonly (readonly string[])[]) => {
  const ended: Ended[] = [];
  for (const [index, args] of rows.entries()) ended.push(await run(args, index));
  process.exitCode = 0;
  process.send?.(ended, () => process.exit());
});

async function run(args: readonly string[], index: number): Promise<Ended> {
  const printed = { stdout: '', stderr: '' };
  for (const name of streams) {
    process[name].write = (text) => {
      printed[name] += text;
      return true;
    };
  }
  process.argv = [node, file, ...args];
  process.exitCode = 0;
  // The query makes it another module, of which the imports are loaded only once.
  await import(`${pathToFileURL(file)}?${index}`);
  return { ...printed, exitCode: Number(process.exitCode) };
}
