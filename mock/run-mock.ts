import { defaults, findFlagKeptByNpm, readOptions } from './options.ts';
import { parseArguments } from './parse-arguments.ts';
import type { Program } from './program.ts';
import { type Mock, startMock } from './server.ts';
import { toOneLine } from './to-one-line.ts';

/** Starts the mock as the command line says. */
export async function runMock(argv: readonly string[]): Promise<Program> {
  const options = readOptions(parseArguments(argv));
  const kept = argv.length === 0 ? findFlagKeptByNpm() : undefined;
  const mock = await startMock(options);
  return { announcement: announce(mock, options.apiKeys === undefined, kept), close: mock.close };
}

/** What a user wants to know first; the first line is stable. A key of the user's own is not shown. */
function announce({ url, animals, unknownProperties }: Mock, hasDefaultKey: boolean, kept?: string): string {
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
  if (kept !== undefined) {
    lines.push(
      `npm kept ${kept} to itself, if you gave it: options go after --, as in: npm start -- --port 4020`,
    );
  }
  return `${lines.join('\n')}\n`;
}
