import { describeStartFailure } from './describe-start-failure.ts';
import { onParentGone } from './on-parent-gone.ts';
import { defaults, isStartedByNpm, readOptions } from './options.ts';
import { parseArguments } from './parse-arguments.ts';
import { type Mock, startMock } from './server.ts';
import { toOneLine } from './to-one-line.ts';

/** How long the end waits for a reader of the log, in milliseconds. */
const PATIENCE = 500;

// The mock goes on without a reader of what it prints.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

try {
  const options = readOptions(parseArguments(process.argv.slice(2)));
  const mock = await startMock(options);
  const stop = async () => {
    await mock.close();
    // By itself the process ends only when the last line of the log has been read.
    setTimeout(() => process.exit(0), PATIENCE).unref();
  };
  // A second signal says nothing new: npm passes on what the terminal has already sent to every process.
  process.on('SIGINT', stop).on('SIGTERM', stop);
  if (isStartedByNpm()) onParentGone(stop);
  process.stdout.write(announce(mock, options.apiKeys === undefined));
} catch (error) {
  const { message, exitCode } = describeStartFailure(error);
  if (message !== undefined) process.stderr.write(`animal-store-mock: ${message}\n`);
  process.exitCode = exitCode;
}

/** What a user wants to know first; the first line is stable. A key of the user's own is not shown. */
function announce({ url, animals, unknownProperties }: Mock, hasDefaultKey: boolean): string {
  const key = hasDefaultKey ? defaults.apiKeys[0] : '<API_KEY>';
  const lines = [
    `animal-store-mock listening on ${url}`,
    `API key: ${hasDefaultKey ? key : 'as you set it (not shown)'}`,
    `animals: ${animals}`,
    `try: curl -H "Authorization: Bearer ${key}" ${url}/pets`,
  ];
  if (unknownProperties.length > 0) {
    lines.push(toOneLine(`left out, not being in the contract: ${unknownProperties.join(', ')}`));
  }
  return `${lines.join('\n')}\n`;
}
