import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Call } from '../../../common/cli/run-task.ts';
import { runVerify } from '../../../contract-tests/run-verify.ts';
import { startForTest, zeroRedirects } from '../../../contract-tests/testing/run-suite.ts';
import { runMock } from '../../../mock/run-mock.ts';
import { runProxy } from '../../../proxy/run-proxy.ts';
import { callCommand } from '../call-command.ts';
import { createFolder } from '../create-folder.ts';
import { createEntry, printHar } from '../create-har.ts';

/** A name with a command of GitHub, one of Azure, and one of a terminal. */
const evil = 'first\n::error::second ##[error] \x1b[2J';

type Program = (call: Call) => Promise<number>;

const programs: Readonly<Record<string, Program>> = {
  mock: runMock,
  proxy: runProxy,
  verify: runVerify,
};

/** A part of a URL: a number sign would begin a fragment. */
const evilPath = 'first\n::error::second';

const upstream = 'http://127.0.0.1:9/v1';
const command = ['--', 'true'];
const mock = ['mock', '--port', '0', '--no-checked-proxy'];
const gate = ['mock', '--port', '0', '--fail-on', 'error'];
const proxy = ['proxy', upstream, '--port', '0'];
const key = ['--api-key', 'test-key'];
const verify = ['verify', 'DEPLOYMENT', ...key, '--settle', '100', '--only', 'list-pets/limit-invalid'];

const learned = {
  version: 1,
  behaviour: {},
  observed: ['etag'],
  unknown: {},
  evidence: {},
  notPredicted: [],
  requests: [],
};

/** Files whose names are evil, by the ends of their names. */
const files = {
  '.animals': '[]',
  '.unknown-members': JSON.stringify([{ name: 'Rex', categoryId: 1, [evil]: 1 }]),
  '.bad': '[',
  '.learned': JSON.stringify(learned),
  '.har': printHar([createEntry({ answered: '[{"id":1,"name":"Rex","categoryId":2}]' })]),
  '.other.learned': JSON.stringify({ ...learned, behaviour: { etag: 'all' } }),
  '.yaml': '[]',
  '.summary': '',
  '.contract': readFileSync('openapi.yaml'),
  '.pem': readFileSync('tools/testing/certificates/ca.pem'),
};

/** Command lines that print a name. FILE is replaced by a path with an evil name, and DEPLOYMENT by the base URL of a deployment with a failure. */
const rows: readonly (readonly string[])[] = [
  [...mock, '--data', 'FILE.animals', '--save', ...command],
  [...mock, '--data', 'FILE.new', '--save', ...command],
  [...mock, '--data', 'FILE.unknown-members', ...command],
  [...mock, '--data', 'FILE.unknown-members', '--save', ...command],
  [...mock, '--data', 'FILE.bad', ...command],
  [...mock, '--data', 'FILE.none', '--watch', ...command],
  [...mock, '--data', 'FILE.none/none', '--save', ...command],
  [...mock, '--behaviour', 'FILE.bad', ...command],
  [...mock, '--behaviour', 'FILE.none', ...command],
  [...mock, '--', 'FILE.none'],
  [...gate, '--report', 'FILE.xml', ...command],
  [...gate, '--report', 'FILE.none/none', ...command],
  [...gate, '--report', 'FILE.animals', '--data', 'FILE.animals', ...command],
  ['mock', 'learn', 'FILE.none'],
  ['mock', 'compare', 'FILE.learned', 'FILE.other.learned'],
  ['mock', 'compare', 'FILE.none', 'FILE.bad'],
  [...proxy, '--report', 'FILE.json', '--har', 'FILE.new.har', ...command],
  [...proxy, '--contract', 'FILE.contract', ...command],
  [...proxy, '--contract', 'FILE.yaml', ...command],
  [...proxy, '--report', 'FILE.none/none', ...command],
  [...proxy, '--har', 'FILE.none/none', ...command],
  [...proxy, '--ca', 'FILE.none', ...command],
  [...proxy, '--require', 'FILE', ...command],
  [...proxy, '--', 'FILE.none'],
  ['proxy', `${upstream}/${evilPath}`, '--port', '0', ...command],
  ['proxy', 'check', 'FILE.har', '--contract', 'FILE.contract', '--report', 'FILE.xml', '--fail-on', 'error'],
  ['proxy', 'check', 'FILE.none'],
  ['proxy', 'check', 'FILE.bad'],
  [...verify, '--har', 'FILE.none/none'],
  [...verify, '--reporter', 'json=FILE.none/none'],
  [...verify, '--ca', 'FILE.pem'],
  [...verify, '--ca', 'FILE.pem', '--reporter', 'github'],
  [...verify, '--ca', 'FILE.pem', '--reporter', 'junit'],
  [...verify, '--ca', 'FILE.pem', '--reporter', 'json'],
  [...verify, '--known', 'FILE.none'],
  [...verify, '--ca', 'FILE.none'],
  [...verify, '--only', 'FILE'],
  ['verify', `DEPLOYMENT/${evilPath}`, ...key],
];

test.skipIf(process.platform === 'win32').for(rows.map((row) => [row] as const))(
  'a name with a line break stays in its line, and no CI runner obeys it: %j',
  async ([row]) => {
    const folder = createFolder();
    mkdirSync(join(folder, evil));
    const path = join(folder, evil, evil);
    for (const [end, content] of Object.entries(files)) writeFileSync(`${path}${end}`, content);
    const url = await startForTest(zeroRedirects);
    const [name = '', ...argv] = row.map((word) => word.replace('DEPLOYMENT', url).replace('FILE', path));
    const { stdout, stderr } = await callCommand(`animal-store-${name}`, programs[name] as Program, argv, {
      GITHUB_STEP_SUMMARY: `${path}.summary`,
    });
    const lines = `${stdout}\n${stderr}`.split('\n');
    const isCommand = (line: string) => /^\s*::|##\[|\p{Cc}/u.test(line);
    expect(lines.filter((line) => isCommand(line) && !line.startsWith('::error title='))).toEqual([]);
    const named = lines.filter((line) => line.includes('second'));
    expect(named).not.toEqual([]);
    expect(named.filter((line) => !line.includes('first'))).toEqual([]);
  },
);
