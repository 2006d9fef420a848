import { describeStartFailure } from './describe-start-failure.ts';
import { defaults, readOptions } from './options.ts';
import { parseArguments } from './parse-arguments.ts';
import { type Mock, startMock } from './server.ts';

try {
  const options = readOptions(parseArguments(process.argv.slice(2)));
  const mock = await startMock(options);
  // The mock goes on without a reader of its log.
  process.stdout.on('error', () => {});
  const stop = () => mock.close();
  // A second signal says nothing new: npm passes on what the terminal has already sent to every process.
  process.on('SIGINT', stop).on('SIGTERM', stop);
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
    lines.push(`left out, not being in the contract: ${unknownProperties.join(', ')}`);
  }
  return `${lines.join('\n')}\n`;
}
