import { CommanderError } from 'commander';
import { expect, onTestFinished, test, vi } from 'vitest';
import { verifyCommand } from '../../contract-tests/options.ts';
import { mockCommand } from '../../mock/options.ts';
import { checkCommand, proxyCommand } from '../../proxy/options.ts';
import { redact } from '../text/redact.ts';
import { type CommandSpec, type Option, variablesOf } from './options.ts';
import { findGivenKeys, readOptions } from './read-options.ts';
import { UsageError } from './usage-error.ts';

/** Returns what a command prints for one flag, and then ends. */
function print(command: CommandSpec, flag: string): string {
  using write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  expect(() => readOptions(command, [flag], { version: '1.2.3' })).toThrow(CommanderError);
  return write.mock.calls.join('');
}

test.for<[CommandSpec, string[]]>([
  [mockCommand, ['animal-store-mock -- <command>', 'animal-store-mock -- npm test']],
  [proxyCommand, ['animal-store-proxy check <file>', '--fail-on error -- npm run e2e']],
  [checkCommand, ['animal-store-proxy check traffic.har']],
  [verifyCommand, ['animal-store-verify --list']],
])('each command has --help-all, and -v for its version', ([command, lines]) => {
  const help = print(command, '--help-all');
  expect(['-v', '--version'].map((flag) => print(command, flag))).toEqual(['1.2.3\n', '1.2.3\n']);
  for (const line of lines) expect(help).toContain(line);
  const groups = Object.values<Option>(command.options).map(({ group = 'Arguments' }) => group);
  const headings = new Set([...groups, 'Help', ...Object.keys(command.notes), 'Documents']);
  expect(help.match(/^[A-Z].*(?=:$)/gm)).toEqual([...headings]);
  expect(help).toMatch(/^ {2}-v, --version +print the version$/m);
  expect(help).toMatch(/^ {2}-h, --help +print this help$/m);
  for (const { flags } of Object.values(command.options))
    expect(help).toContain(flags.replace(/^[<[]|[\]>]$/g, ''));
  expect(help).not.toContain('(default: )');
  expect(help).toMatch(/\nDocuments:\n {2}docs\/README\.md\n$/);
});

test.for<[CommandSpec]>([[mockCommand], [proxyCommand], [verifyCommand]])(
  'a command with many options has ten of them in its help, which names --help-all',
  ([command]) => {
    const help = print(command, '-h');
    expect(print(command, '--help')).toBe(help);
    const shown = help.match(/(?<=^ {2}(?:-\w, )?)--[\w-]+/gm) ?? [];
    expect([shown.length, ...shown.slice(-3)]).toEqual([13, '--version', '--help-all', '--help']);
    expect(help).toContain('\nExamples:\n');
    expect(help).not.toMatch(/^(?:Environment|Exit codes):$/m);
  },
);

test.for([
  ['the variable', [], { ANIMAL_STORE_API_KEY: 'other-key s3cr,t/Key' }],
  ['the variable of the admin token', [], { ANIMAL_STORE_ADMIN_TOKEN: 's3cr,t/Key' }],
  ['--api-key', ['--api-key', 's3cr,t/Key', '--port', 's3cr,t/Key'], {}],
  ['--api-key, given again', ['--api-key', 's3cr,t/Key', '--api-key', 'other'], {}],
  ['a mistyped --apikey', ['--apikey', 's3cr,t/Key'], {}],
  ['--api-key with a scheme', ['--api-key', 'Bearer s3cr,t/Key'], {}],
  ['a user in a URL', ['http://s3cr,t%2FKey:x@localhost/v1'], {}],
  ['a password in the URL of an option', ['--host=https://user:s3cr,t%2FKey@localhost'], {}],
  ['a header', ['--header=X-Gateway:s3cr,t/Key'], {}],
  ['a variable of the command after --', ['--', 'API_KEY=s3cr,t/Key', 'npm', 'test'], {}],
  ['a header with a scheme', ['-H', 'Authorization: Bearer s3cr,t/Key'], {}],
] as const)('a key of %s is in no message', ([, argv, environment]) => {
  const keys = findGivenKeys(argv, environment);
  expect(redact('--port: not "s3cr,t/Key" (s3cr%2Ct%2FKey)', keys)).toBe('--port: not "[key]" ([key])');
  expect(redact('the API key must be without "Bearer" before it', keys)).toContain('"Bearer"');
  expect(redact('the header Authorization: is missing', keys)).toBe('the header Authorization: is missing');
});

test.for(['my-s3cr-basic', 'basic-s3cr', 'bearer:s3cr'])('the key %s is no scheme', (key) => {
  expect(redact(`not "${key}"`, findGivenKeys(['--api-key', key], {}))).toBe('not "[key]"');
});

test('the file of a key is no key', () => {
  const keys = findGivenKeys(['--tls-key', 'key.pem', '--client-key=own.pem'], {});
  expect(redact('key.pem, own.pem', keys)).toBe('key.pem, own.pem');
});

const base = 'http://127.0.0.1:9/v1';

test.for([
  [mockCommand, ['--port', '5000', '-p5001', '5000'], '1 instead of 0'],
  [mockCommand, ['--api-key', 'my', 's3cr,t/Key', 'other'], '2 instead of 0'],
  [proxyCommand, [base, '--insecure', 's3cr,t/Key', 's3cr,t/Key'], '3 instead of 1'],
  [verifyCommand, [base, base, '--api-key', 's3cr,t/Key'], '2 instead of 1'],
  [checkCommand, ['traffic.har', 's3cr,t/Key'], '2 instead of 1'],
  // The first letters of what looks like an option are shown: after --, and with a dash that a text editor has made longer.
  [verifyCommand, [base, '--', '--api-key=s3cr,t/Key'], '2 instead of 1, such as --api-key…'],
  [mockCommand, ['\u2014port', '5000'], '2 instead of 0, such as \u2014port'],
  [mockCommand, ['\u2013\u2013api-key=s3cr,t/Key'], '1 instead of 0, such as \u2013\u2013api-key…'],
  [verifyCommand, [base, '--', '-s3cr,t/Key'], '2 instead of 1, such as -s…'],
] as const)('unexpected arguments are counted, and not shown: %#', ([command, argv, counts]) => {
  const read = () => readOptions(command as never, argv, { environment: {} });
  expect(read).toThrow(`too many arguments: ${counts}.`);
  expect(read).not.toThrow('cr,t/Key');
});

test.for([
  [mockCommand, ['lern', 'staging.har'], '2 instead of 0. Did you mean learn?'],
  [proxyCommand, ['chek', 'app.har'], '2 instead of 1. Did you mean check?'],
  [verifyCommand, ['comapre', 'a.json', 'b.json'], '3 instead of 1. Did you mean compare?'],
  [
    proxyCommand,
    [base, 'npm', 'test'],
    '3 instead of 1. Write a command after --, such as: animal-store-proxy <upstream> -- npm test.',
  ],
] as const)('words that are no options get the hint about what was meant: %#', ([command, argv, message]) => {
  const read = () => readOptions(command as never, argv, { environment: {} });
  expect(read).toThrow(new UsageError(`too many arguments: ${message}`));
});

test.for([
  ['npx', ''],
  ['start', ' With npm, write options after --, such as: npm start -- --port 4020.'],
])('with %s, words that look like a command get the hint about a command', ([event, hint]) => {
  vi.stubEnv('npm_lifecycle_event', event);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(() => readOptions(mockCommand, ['npm', 'test'], { environment: {} })).toThrow(
    new UsageError(
      `too many arguments: 2 instead of 0.${hint} Write a command after --, such as: animal-store-mock -- npm test.`,
    ),
  );
});

/** Returns what a command prints about the variables of its environment. */
function printUnknown(command: CommandSpec, variables: readonly string[]): string {
  using write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const environment = Object.fromEntries(variables.map((name) => [name, '1']));
  try {
    readOptions(command, command === mockCommand ? [] : [base], { environment });
  } catch {
    // Not every value is one of its option.
  }
  return write.mock.calls.join('');
}

test('a variable that is nearly one of an option is named', () => {
  const hint = 'unknown variable ANIMAL_STORE_FAILON. Did you mean ANIMAL_STORE_FAIL_ON?';
  expect(printUnknown(mockCommand, ['ANIMAL_STORE_FAILON'])).toBe(`animal-store-mock: ${hint}\n`);
});

test('no command names a variable of another one', () => {
  const commands: readonly CommandSpec[] = [mockCommand, proxyCommand, checkCommand, verifyCommand];
  const ofOptions = commands.flatMap((command) =>
    Object.keys(command.options).flatMap((name) => variablesOf(command, name)),
  );
  const all = [...ofOptions, 'ANIMAL_STORE_URL', 'ANIMAL_STORE_CHECKED_URL', 'ANIMAL_STORE_BASE'];
  for (const command of commands) expect(printUnknown(command, all)).toBe('');
});
