import { runTask } from '../common/cli/run-task.ts';
import { parseVerifyArguments } from './options.ts';
import { verify } from './verify.ts';

const interruptions = { SIGINT: 130, SIGTERM: 143 };
const interruption = new AbortController();
let interrupted: number | undefined;
for (const [signal, code] of Object.entries(interruptions)) {
  process.on(signal, () => {
    // The report has the results so far. A second signal does not wait for it.
    if (interrupted !== undefined) process.exit(code);
    interrupted = code;
    interruption.abort();
    process.stderr.write(
      'animal-store-verify: The run was interrupted. Animals named "contract-test …" remain.\n',
    );
  });
}

await runTask('animal-store-verify', () =>
  verify(parseVerifyArguments(process.argv.slice(2)), interruption.signal),
);
process.exitCode = interrupted ?? process.exitCode;

// A deployment may have left something open. The output is written by then.
process.stdout.write('', () => process.exit());
