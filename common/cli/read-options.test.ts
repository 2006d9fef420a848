import { CommanderError } from 'commander';
import { expect, test, vi } from 'vitest';
import { verifyCommand } from '../../contract-tests/options.ts';
import { mockCommand } from '../../mock/options.ts';
import { checkCommand, proxyCommand } from '../../proxy/options.ts';
import { createHideGiven, readOptions } from './read-options.ts';

test.for([
  [mockCommand, ['animal-store-mock -- <command>', 'animal-store-mock -- npm test']],
  [proxyCommand, ['animal-store-proxy check <file>', '--fail-on error -- npm run e2e']],
  [checkCommand, ['animal-store-proxy check traffic.har']],
  [verifyCommand, ['animal-store-verify --list']],
] as const)('a command has -h for its help, and -v for its version', ([command, lines]) => {
  using write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const print = (flag: string) => {
    write.mockClear();
    expect(() => readOptions(command as never, [flag], { version: '1.2.3' })).toThrow(CommanderError);
    return write.mock.calls.join('');
  };
  const help = print('-h');
  expect(['--help', '-v', '--version'].map(print)).toEqual([help, '1.2.3\n', '1.2.3\n']);
  for (const line of ['-h, --help', '-v, --version', 'Examples:\n', ...lines]) expect(help).toContain(line);
});

test.for([
  ['the variable', [], { ANIMAL_STORE_API_KEY: 'other-key s3cr,t/Key' }],
  ['--api-key', ['--api-key', 's3cr,t/Key', '--port', 's3cr,t/Key'], {}],
  ['--api-key, given again', ['--api-key', 's3cr,t/Key', '--api-key', 'other'], {}],
  ['a mistyped --apikey', ['--apikey', 's3cr,t/Key'], {}],
  ['--api-key with a scheme', ['--api-key', 'Bearer s3cr,t/Key'], {}],
  ['a user in a URL', ['http://s3cr,t%2FKey:x@localhost/v1'], {}],
  ['a password in the URL of an option', ['--host=https://user:s3cr,t%2FKey@localhost'], {}],
  ['a header', ['--header=X-Gateway:s3cr,t/Key'], {}],
  ['a header with a scheme', ['-H', 'Authorization: Bearer s3cr,t/Key'], {}],
] as const)('a key of %s is in no message', ([, argv, environment]) => {
  const hide = createHideGiven(argv, environment);
  expect(hide('--port: not "s3cr,t/Key" (s3cr%2Ct%2FKey)')).toBe('--port: not "[key]" ([key])');
  expect(hide('the API key must be without "Bearer" before it')).toContain('"Bearer"');
});

test('the file of a key is no key', () => {
  const hide = createHideGiven(['--tls-key', 'key.pem', '--client-key=own.pem'], {});
  expect(hide('key.pem, own.pem')).toBe('key.pem, own.pem');
});
