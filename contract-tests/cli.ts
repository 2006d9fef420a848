import { CommanderError } from 'commander';
import { toHarmless, toOneLine } from '../common/harmless-text.ts';
import { createHideGiven } from '../common/read-options.ts';
import { UsageError } from '../common/usage-error.ts';
import { parseVerifyArguments } from './options.ts';
import { CouldNotTell } from './report.ts';
import { verify } from './verify.ts';

/** The exit code when nothing could be told. */
const COULD_NOT_TELL = 2;

const interruptions = { SIGINT: 130, SIGTERM: 143 };
const interruption = new AbortController();
let interrupted: number | undefined;
for (const [signal, code] of Object.entries(interruptions)) {
  process.on(signal, () => {
    // What was tried is reported; who cannot wait for it says so again.
    if (interrupted !== undefined) process.exit(code);
    interrupted = code;
    interruption.abort();
    process.stderr.write(
      'animal-store-verify: interrupted; animals that were added, named "contract-test …", stay\n',
    );
  });
}

try {
  const exitCode = await verify(parseVerifyArguments(process.argv.slice(2)), interruption.signal);
  process.exitCode = interrupted ?? exitCode;
} catch (error) {
  process.exitCode =
    error instanceof CommanderError && error.exitCode === 0 ? 0 : (interrupted ?? COULD_NOT_TELL);
  if (process.exitCode !== 0)
    process.stderr.write(`animal-store-verify: ${createHideGiven()(describe(error as Error))}\n`);
}

// A deployment may have left something open. What was printed before is written by then.
process.stdout.write('', () => process.exit());

function describe(error: Error): string {
  const isTold = [UsageError, CouldNotTell].some((kind) => error instanceof kind);
  return isTold ? toOneLine(error.message) : toHarmless(`a fault of the suite itself: ${error.stack}`);
}
