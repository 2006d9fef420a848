import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { type CommandSpec, describeDefault, type Option } from '../../../common/cli/options.ts';
import { readOptions } from '../../../common/cli/read-options.ts';
import { verifyCommand } from '../../../contract-tests/options.ts';
import { requiredIds } from '../../../contract-tests/rules/clauses.ts';
import { compareCommand as compareReportsCommand } from '../../../contract-tests/run-compare.ts';
import { compareCommand, learnCommand } from '../../../mock/learn/run-learn.ts';
import { mockCommand } from '../../../mock/options.ts';
import { checkCommand, proxyCommand } from '../../../proxy/options.ts';
import { createTestApp } from '../create-test-app.ts';
import { get, type HttpRequest, post, send } from '../http-case.ts';
import { listFiles } from './list-files.ts';

const root = join(import.meta.dirname, '../../..');

const workflows = globSync('examples/workflows/*.{yaml,yml}', { cwd: root });

test.for(['compose.yaml', ...workflows])('%s is YAML, and says that it was not run', (file) => {
  const text = readFileSync(join(root, file), 'utf8');
  expect(parse(text, { strict: true })).toEqual(expect.any(Object));
  expect(text).toMatch(/^(?:#.*\n)*# .*\bNot run/);
});

const commands: Readonly<Record<string, CommandSpec>> = {
  'animal-store-mock': mockCommand,
  'animal-store-mock learn': learnCommand,
  'animal-store-mock compare': compareCommand,
  'animal-store-proxy': proxyCommand,
  'animal-store-verify': verifyCommand,
  'animal-store-verify compare': compareReportsCommand,
};

/** A command of ours in a line of a pipeline, up to what the shell takes for itself or to the command that it starts. */
const call = /npx --no -- (animal-store-\w+(?: compare| learn)?)(.*?)(?= -- | \|\| |;|$)/gm;

/** Returns the lines that a pipeline runs. */
function readLines(value: unknown, isRun = false): string[] {
  if (typeof value === 'string') return isRun ? value.split('\n') : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) =>
    readLines(one, isRun || name === 'run' || name === 'script'),
  );
}

test.for(workflows)('the commands in %s exist, with their options', (file) => {
  const text = readFileSync(join(root, file), 'utf8');
  const calls = readLines(parse(text)).flatMap((line) => [...line.matchAll(call)]);
  expect(calls.length).toBeGreaterThan(0);
  for (const [, name = '', words = ''] of calls) {
    const given = words.replaceAll('"', '').replaceAll(/\$\w+_URL/g, 'https://staging.example/v1');
    const environment = { ANIMAL_STORE_API_KEY: 'test-key' };
    const command = commands[name];
    if (command === undefined) throw new Error(`${name} is no command`);
    readOptions(command, given.trim().split(/ +/), { environment });
  }
});

test('in compose.yaml each service allows its own name, and the user gives the token', () => {
  const { mock, proxy } = parse(readFileSync(join(root, 'compose.yaml'), 'utf8')).services;
  const { ANIMAL_STORE_ALLOW_HOST: allowed, ANIMAL_STORE_ADMIN_TOKEN: token } = mock.environment;
  expect([allowed, token]).toEqual(['mock', expect.stringMatching(/^\$\{ANIMAL_STORE_ADMIN_TOKEN:\?/)]);
  const [, ...options] = proxy.command;
  const given = readOptions(proxyCommand, ['http://mock:4010/v1', ...options], { environment: {} });
  expect(given).toMatchObject({ allowHosts: ['proxy'] });
});

/** Prints options of a command as its help does, with a heading for each group, and never breaks a line. */
function printOptions({ options }: CommandSpec, names: readonly string[]): string {
  const shown = Object.entries(options).filter(([name]) => names.includes(name));
  const width = Math.max(...shown.map(([, { flags }]) => flags.length));
  const print = (row: Option) => {
    const usual = describeDefault(row);
    return `  ${row.flags.padEnd(width)}  ${row.help}${usual === '' ? '' : ` (default: ${usual})`}`;
  };
  const groups = Object.groupBy(shown, ([, { group = 'Arguments' }]) => group);
  const blocks = Object.entries(groups).map(([group, rows = []]) =>
    [`${group}:`, ...rows.map(([, row]) => print(row))].join('\n'),
  );
  return blocks.join('\n\n');
}

/** The block of options on a page. */
const optionBlock = /(?<=^## Options\n\n```text\n)[^`]*(?=\n```)/m;

/** The page about what several commands share. */
const shared = readFileSync(join(root, 'docs/reference/shared-options.md'), 'utf8');

/** Names of the options of a command that another command has not, or has with another text. */
function listOwn({ options }: CommandSpec, other: CommandSpec): string[] {
  return Object.keys(options).filter((name) => options[name]?.help !== other.options[name]?.help);
}

/** `check` has options of the proxy, and these. */
const ownOfCheck = listOwn(checkCommand, proxyCommand);

/** The group of options that the page about shared options explains for all commands. */
const SHARED_GROUP = 'TLS';

test.for([
  ['animal-store-mock', mockCommand],
  ['animal-store-proxy', proxyCommand],
  ['animal-store-verify', verifyCommand],
] as const)(
  'docs/reference/%s.md has the options of its command: npm run test:update writes them',
  async ([page, command]) => {
    const file = join(root, `docs/reference/${page}.md`);
    const text = readFileSync(file, 'utf8');
    expect(text).toMatch(optionBlock);
    const { true: ofAll = [], false: own = [] } = Object.groupBy(
      Object.entries<Option>(command.options),
      ([, { group }]) => `${group === SHARED_GROUP}`,
    );
    // Each variable that does not follow the rule of the mock's page is on a page.
    const variables = [...own, ...ofAll].flatMap(([, { variable }]) => variable ?? []);
    const isNamed = (variable: string) => [text, shared].some((one) => one.includes(`\`${variable}\``));
    expect(variables.filter((variable) => !isNamed(variable))).toEqual([]);
    const flags = ofAll.map(([, row]) => /--[\w-]+/.exec(row.flags)?.[0] ?? '');
    expect(flags.filter((flag) => !shared.includes(`\`${flag}\``))).toEqual([]);
    const names = own.map(([name]) => name);
    await expect(text.replace(optionBlock, () => printOptions(command, names))).toMatchFileSnapshot(file);
  },
);

test('the reference of check names the options that it shares with the proxy', () => {
  const page = readFileSync(join(root, 'docs/reference/animal-store-proxy.md'), 'utf8');
  const [, sentence = ''] = /`check` also takes ([^.]+)\./.exec(page) ?? [];
  const shared = Object.entries(checkCommand.options).filter(([name]) => !ownOfCheck.includes(name));
  const flags = shared.map(([, row]) => /--[\w-]+/.exec(row.flags)?.[0]);
  expect(sentence.match(/--[\w-]+/g)).toEqual(flags);
});

test.for(listFiles(/\.md$/))('the links of %s lead somewhere', (file) => {
  const text = readFileSync(join(root, file), 'utf8');
  const links = [...text.matchAll(/\]\((?!https:)([^)#]+)[^)]*\)/g)].map(([, link = '']) => link);
  expect(links.filter((link) => !existsSync(join(root, dirname(file), link)))).toEqual([]);
});

/** Returns the anchors of a page: those of its headings, as GitHub writes them, and those that it names itself. */
function readAnchors(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8').replaceAll(/^ *```.*?^ *```/gms, '');
  const named = [...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id);
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  );
  return [...named, ...headings];
}

test.for(listFiles(/\.md$/))('the links of %s to headings lead to a heading', (file) => {
  const text = readFileSync(join(root, file), 'utf8');
  const links = [...text.matchAll(/\]\((?!https:)([^)#]*\.md)?#([^)]+)\)/g)];
  const isMissing = ([, page, anchor = '']: RegExpMatchArray) =>
    !readAnchors(page === undefined ? file : join(dirname(file), page)).includes(anchor);
  expect(links.filter(isMissing).map(([link]) => link)).toEqual([]);
});

/** The commands of the table in the README, by the script of the clone that runs them. */
const scripts: Readonly<Record<string, CommandSpec>> = {
  'npm start': mockCommand,
  'npm run proxy': proxyCommand,
  'npm run verify': verifyCommand,
};

test('the commands in the table of the README exist, with their options', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const rows = [...readme.matchAll(/^\| .*\? \| `(npm (?:start|run \w+))(?: -- (.*?))?(?: -- .*?)?` \|/gm)];
  expect(rows).toHaveLength(6);
  for (const [, script = '', words = ''] of rows) {
    const command = scripts[script];
    if (command === undefined) throw new Error(`${script} is no script`);
    readOptions(command, words.split(' ').filter(Boolean), {
      environment: { ANIMAL_STORE_API_KEY: 'test-key' },
    });
  }
});

test('no text lets npx install a package that has the name of a command', () => {
  const files = listFiles(/\.(?:md|ya?ml|[cm]?[jt]sx?|json)$/).filter((file) => file !== 'CHANGELOG.md');
  const calls = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const found = text.match(/\bnpx[ ',]+(?:--?[^ ',]*[ ',]+)*animal-store-/g) ?? [];
    return found.map((call) => ({ file, call: call.replaceAll(/[ ',]+/g, ' ') }));
  });
  expect(calls.length).toBeGreaterThan(50);
  // Without the two dashes before the command, npx takes the options after it for its own.
  expect(calls.filter(({ call }) => call !== 'npx --no -- animal-store-')).toEqual([]);
});

/** Folders that a page may leave out before a path: ARCHITECTURE.md describes each product from inside. */
const folders = [
  '',
  'mock',
  'proxy',
  'contract-tests',
  'common',
  'console',
  'docs',
  'tools',
  'tools/testing',
];

/** Pages for maintainers name files of the project, also without their folder. Guides name files of the reader as well. */
const isForMaintainers = (page: string) =>
  /^(?:ARCHITECTURE|CONTRIBUTING|DECISIONS)/.test(page.replace('.github/', ''));

const files = listFiles(/./);

function isFile(name: string, page: string): boolean {
  if (!name.includes('/')) return files.some((file) => file === name || file.endsWith(`/${name}`));
  return [dirname(page), ...folders].some((folder) => existsSync(join(root, folder, name)));
}

/** Files of our sources, by their endings. The reader has files too, such as `report.json`. */
const sourceFile = /^(?:[\w.-]+\/)*\w[\w.-]*\.(?:ts|cjs|css)$/;

/** What a page names although it is no file: a reporter that somebody may add, and the configuration of Storybook. */
const exampleFiles = new Set([
  'contract-tests/reporters/print-x.ts',
  '.storybook/main.ts',
  '.storybook/preview.ts',
]);

test.for(listFiles(/\.md$/))('the files exist that %s names in backticks', (page) => {
  const text = readFileSync(join(root, page), 'utf8').replaceAll(/^ *```.*?^ *```/gms, '');
  const names = [...text.matchAll(/`([^`\n]+)`/g)].map(([, name = '']) => name);
  const own = names.filter((name) => sourceFile.test(name) && (name.includes('/') || isForMaintainers(page)));
  expect(own.filter((name) => !exampleFiles.has(name) && !isFile(name, page))).toEqual([]);
});

/** Options of other programs that pages name, each with its program. */
const otherOptions = new Map([
  ['--no', 'npx'],
  ['--prefix', 'npm'],
  ['--save', 'npm'],
  ['--experimental-vm-modules', 'node'],
  ['--cacert', 'curl'],
  ['--project', 'Vitest'],
  ['--target', 'docker'],
]);

const ownOptions = new Set(
  [mockCommand, learnCommand, compareCommand, proxyCommand, checkCommand, verifyCommand]
    .flatMap(({ options }) => Object.values(options))
    .flatMap(({ flags }) => flags.match(/--[\w-]+/g) ?? [])
    .concat('--help', '--help-all', '--version'),
);

test.for(listFiles(/\.md$/))('the options exist that %s names in backticks', (page) => {
  const text = readFileSync(join(root, page), 'utf8').replaceAll(/^ *```.*?^ *```/gms, '');
  const names = [...text.matchAll(/`([^`\n]+)`/g)].map(([, name = '']) => name);
  const options = names.flatMap((name) => name.match(/(?<![\w-])--[a-z][\w-]*/g) ?? []);
  expect(options.filter((name) => !ownOptions.has(name) && !otherOptions.has(name))).toEqual([]);
});

test('the clauses that a page counts are as many as there are', () => {
  const texts = listFiles(/\.md$/).map((page) => readFileSync(join(root, page), 'utf8'));
  const counted = texts.flatMap((text) => [
    ...text.matchAll(/\b(\d+) of \1 required clauses tested(?:, (\d+) more need POST)?/g),
  ]);
  const sums = counted.map(([, tested, needPost = '0']) => Number(tested) + Number(needPost));
  expect(sums.length).toBeGreaterThan(0);
  expect([...new Set(sums)]).toEqual([requiredIds.length]);
});

test('the reference of reports has each cause that leaves out a clause', () => {
  const schema = readFileSync(join(root, 'contract-tests/report.schema.json'), 'utf8');
  const [, list = ''] = /"What left out a clause that was not tested\."[^[]*\[([^\]]*)\]/.exec(schema) ?? [];
  const causes = [...list.matchAll(/"([^"]+)"/g)].map(([, cause]) => cause);
  expect(causes.length).toBeGreaterThan(5);
  const page = readFileSync(join(root, 'docs/reference/reports.md'), 'utf8');
  // It says itself what it is.
  expect(causes.filter((cause) => cause !== 'no verdict' && !page.includes(`\`${cause}\``))).toEqual([]);
});

test('the Errors in openapi.yaml are what the mock answers', async () => {
  const app = await createTestApp();
  const { paths, components } = parse(readFileSync(join(root, 'openapi.yaml'), 'utf8'));
  const exampleOf = (path: string, method: string, status: number) =>
    paths[path][method].responses[status].content['application/json'].example;
  const ask = async (request: HttpRequest) => JSON.parse((await send(app.app, request)).text);
  expect(await ask(get('/v1/pets?limit=0'))).toEqual(exampleOf('/pets', 'get', 400));
  expect(await ask(post('/v1/pets', '{"categoryId":3}'))).toEqual(exampleOf('/pets', 'post', 400));
  expect(await ask(get('/v1/pets/999'))).toEqual(exampleOf('/pets/{petId}', 'get', 404));
  const withoutKey = { method: 'GET', path: '/v1/pets', headers: { Authorization: undefined } };
  const { example } = components.responses.Unauthorized.content['application/json'];
  expect(await ask(withoutKey)).toEqual(example);
});
