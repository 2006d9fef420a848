import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runInTurn } from '../../testing/run-in-turn.ts';
import { createHideGiven } from './read-options.ts';

test.for([
  ['mock/cli.ts', [], ['animal-store-mock -- <command>', 'animal-store-mock -- npm test']],
  ['proxy/cli.ts', [], ['animal-store-proxy check <file>', '--report violations.xml -- npm run e2e']],
  ['proxy/cli.ts', ['check'], ['animal-store-proxy check traffic.har']],
  ['contract-tests/cli.ts', [], ['animal-store-verify --list']],
] as const)('%s %j has -h for its help and -v for its version', async ([file, command, lines]) => {
  const rows = ['-h', '--help', '-v', '--version'].map((flag) => ({ args: [...command, flag] }));
  const ended = await runInTurn(join(import.meta.dirname, '../..', file), rows);
  expect(ended.map(({ stderr, exitCode }) => [stderr, exitCode])).toEqual(rows.map(() => ['', 0]));
  const [help, longHelp, version, longVersion] = ended.map(({ stdout }) => stdout);
  expect([help, version]).toEqual([longHelp, longVersion]);
  expect(version).toMatch(/^\d+\.\d+\.\d+\n$/);
  for (const line of ['-h, --help', '-v, --version', 'Examples:\n', ...lines]) expect(help).toContain(line);
});

test.for([
  ['the variable', [], { ANIMAL_STORE_API_KEY: 'other-key s3cr,t/Key' }],
  ['--api-key', ['--api-key', 's3cr,t/Key', '--port', 's3cr,t/Key'], {}],
  ['--api-key, given again', ['--api-key', 's3cr,t/Key', '--api-key', 'other'], {}],
  ['a mistyped --api-keys', ['--api-keys=s3cr,t/Key'], {}],
  ['a mistyped --apikey', ['--apikey', 's3cr,t/Key'], {}],
  ['--api-key with a scheme', ['--api-key', 'Bearer s3cr,t/Key'], {}],
  ['a user in a URL', ['http://s3cr,t%2FKey:x@localhost/v1'], {}],
  ['a password in the URL of an option', ['--host=https://user:s3cr,t%2FKey@localhost'], {}],
  ['a header', ['--header', 'X-Gateway: s3cr,t/Key'], {}],
  ['a header without a blank', ['--header=X-Gateway:s3cr,t/Key'], {}],
  ['a header with a scheme', ['-H', 'Authorization: Bearer s3cr,t/Key'], {}],
] as const)('a key of %s is in no message', ([, argv, environment]) => {
  const hide = createHideGiven(argv, environment);
  expect(hide('--port must be an integer, not "s3cr,t/Key" (s3cr%2Ct%2FKey)')).toBe(
    '--port must be an integer, not "[key]" ([key])',
  );
  expect(hide('the API key must be without "Bearer" before it')).toContain('"Bearer"');
});
