import { readOptions } from '../common/cli/read-options.ts';
import { runTask } from '../common/cli/run-task.ts';
import { toHarmless } from '../common/text/harmless-text.ts';
import { suiteVersion } from './client/target.ts';
import { compare } from './learn/compare.ts';
import { compareCommand, parseVerifyArguments } from './options.ts';
import { verify } from './verify.ts';

const interruption = new AbortController();
let interrupted: number | undefined;
for (const [signal, code] of Object.entries({ SIGHUP: 129, SIGINT: 130, SIGTERM: 143 })) {
  process.on(signal, () => {
    // The report has the results so far. A second signal does not wait for it.
    if (interrupted !== undefined) process.exit(code);
    interrupted = code;
    interruption.abort();
    process.stderr.write('animal-store-verify: The run was interrupted. Animals that it has added remain.\n');
  });
}

const [first, ...others] = process.argv.slice(2);

await runTask('animal-store-verify', async () => {
  if (first !== 'compare') return verify(parseVerifyArguments(process.argv.slice(2)), interruption.signal);
  const given = readOptions(compareCommand, others, { version: suiteVersion });
  const { text, hasDrift } = compare(given.first, given.second);
  process.stdout.write(toHarmless(text));
  return hasDrift && given.failOnDrift ? 1 : 0;
});
process.exitCode = interrupted ?? process.exitCode;

// A deployment may have left something open. The output is written by then.
process.stdout.write('', () => process.exit());
