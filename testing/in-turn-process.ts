// Runs the command of its own argument with each row of arguments that it gets, one after the other, and tells how each ended.
import { pathToFileURL } from 'node:url';
import type { Ended, Row } from './run-in-turn.ts';

const [node = '', , file = ''] = process.argv;
const streams = ['stdout', 'stderr'] as const;
const ownEnvironment = { ...process.env };

// Each run adds its own.
for (const emitter of [process, process.stdout, process.stderr]) emitter.setMaxListeners(0);

let runs = 0;
let last = Promise.resolve();
process.on('message', (row: Row) => {
  last = last.then(async () => void process.send?.(await run(row)));
});
process.once('disconnect', () => process.exit());

async function run({ args, environment = {} }: Row): Promise<Ended> {
  const printed = { stdout: '', stderr: '' };
  for (const name of streams) {
    process[name].write = (text) => {
      printed[name] += text;
      return true;
    };
  }
  process.env = { ...ownEnvironment, ...environment };
  process.argv = [node, file, ...args];
  process.exitCode = 0;
  runs += 1;
  // The query makes it another module, of which the imports are loaded only once.
  await import(`${pathToFileURL(file)}?${runs}`);
  return { ...printed, exitCode: Number(process.exitCode) };
}
