import { expect, test } from 'vitest';
import { callCommand } from '../tools/testing/call-command.ts';
import { runMock } from './run-mock.ts';

const longKey = 'k3y'.repeat(30);

/**
 * Command lines that end the command at once, what they print, and their environment. A command after `--` is harmless,
 * because a missing refusal would start it.
 */
const rows: readonly (readonly [line: string, message: string, environment?: Record<string, string>])[] = [
  ['--prot 1', "unknown option '--prot'. Did you mean --port?"],
  ['npm test', 'Write a command after --, such as: animal-store-mock -- npm test.'],
  ['--host 192.0.2.1', '192.0.2.1 (from --host or ANIMAL_STORE_HOST): listen EADDRNOTAVAIL'],
  ['--host no-such-host.invalid', 'cannot listen on no-such-host.invalid (from --host'],
  ['--behaviour strct', 'strct could not be read: no such file or directory. Did you mean strict?'],
  ['--behaviour {"order":1}', 'The behaviour: order must be newest, oldest, name or random, '],
  ['--behaviour README.md', 'behaviour: README.md is not JSON'],
  ['--try-behaviours', '--try-behaviours requires a command: animal-store-mock --try-behaviours -- npm test'],
  ['--fail-on -- node -v', '--fail-on <level> needs a value: error, warning, request-error,'],
  ['--data - --save', '--data: - is not the path of a file. Name a file.'],
  [
    '--data README.md --fail-on error --report ./README.md -- node -v',
    '--data and --report name the same file: ./README.md. Give them two files.',
    { ANIMAL_STORE_NO_CHECKED_PROXY: '' },
  ],
  [
    '--data README.md --try-behaviours --report README.md -- node -v',
    '--data and --report name the same file: README.md',
  ],
  [
    '--behaviour LICENSE --fail-on error --report LICENSE -- node -v',
    '--behaviour and --report name the same file: LICENSE',
    { ANIMAL_STORE_NO_CHECKED_PROXY: '' },
  ],
  // No machine has a folder below a file.
  [
    '--try-behaviours --report LICENSE/b/a.json -- node -v',
    '--report: LICENSE/b/a.json could not be written',
  ],
  // PORT belongs to the command.
  ['--data README.md -- node -v', 'README.md is not JSON', { PORT: 'of the app' }],
  ['--', 'there is no command after --, such as: -- npm test'],
  ['-- no-such-program', 'the command "no-such-program" could not be started: there is no such program'],
  // The keys of these lines are not printed.
  ['--port MyOwnKey99', '--port must be an integer from 0 to 65535, not "[key]"'],
  ['--host MyOwnKey99.invalid', 'cannot listen on [key].invalid'],
  ['--data MyOwnKey99', '[key] does not exist'],
  ['--prot=MyOwnKey99', 'unknown option'],
  ['-MyOwnKey99', "unknown option '-M…'"],
  ['--api-keys=GluedKey77', "unknown option '--api-keys=…'. Did you mean --api-key?"],
  ['--api-keys:GluedKey77', "unknown option '--api-keys:…'. Did you mean --api-key?"],
  ['--host http://u:GluedKey77@127.0.0.1', 'cannot listen on http://u:[key]@127.0.0.1'],
  [`--port ${longKey}`, 'not a string of 90 characters', { ANIMAL_STORE_API_KEY: longKey }],
];

test.for(rows)(
  '%s prints one line, after the announcement of a mock that has started, and no key',
  async ([line, message, others = {}]) => {
    const environment = {
      ANIMAL_STORE_NO_CHECKED_PROXY: 'true',
      ANIMAL_STORE_API_KEY: 'another MyOwnKey99',
      ...others,
    };
    // An option that is given twice has its last value.
    const args = [...(others.PORT ? [] : ['--port=0']), ...line.split(' ')];
    const { stdout, stderr, exitCode } = await callCommand('animal-store-mock', runMock, args, environment);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^(?:animal-store-mock listening .*\n)?animal-store-mock: [^\n]+\n$/s);
    expect(stderr).toContain(message);
    expect(stdout + stderr).not.toMatch(/MyOwnKey|wnKey99|GluedKey|luedKey77|k3y/i);
  },
);
