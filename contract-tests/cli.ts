import { commandName } from '../common/cli/command-name.ts';
import { runTask } from '../common/cli/run-task.ts';
import { runVerify } from './run-verify.ts';

const name = commandName('verify');
const interruption = new AbortController();
let interrupted: number | undefined;
for (const [signal, code] of Object.entries({ SIGHUP: 129, SIGINT: 130, SIGTERM: 143 })) {
  process.on(signal, () => {
    // The report has the results so far. A second signal does not wait for it.
    if (interrupted !== undefined) process.exit(code);
    interrupted = code;
    interruption.abort();
    process.stderr.write(
      `${name}: The run was interrupted. With --allow-writes, the animals that it has added remain.\n`,
    );
  });
}

await runTask(name, (call) => runVerify(call, interruption.signal));
process.exitCode = interrupted ?? process.exitCode;

// A deployment may have left something open. The output is written by then.
process.stdout.write('', () => process.exit());
