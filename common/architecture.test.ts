import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

interface Import {
  /** The importing file, from the root on. */
  readonly from: string;
  /** The imported file from the root on, or the name of a package. */
  readonly to: string;
  readonly isType: boolean;
}

const files = globSync('{common,fixtures,mock,contract-tests,bench}/**/*.{ts,js}', { cwd: root });
const sources = files.filter((file) => !file.endsWith('.d.ts'));
const imports: readonly Import[] = sources.flatMap(readImports);

function readImports(from: string): Import[] {
  const text = readFileSync(join(root, from), 'utf8');
  const statements = text.matchAll(
    /^(?:import|export)\s[^;]*?from\s+'([^']+)'|^import\s+'([^']+)'|\b(?:import|require)\(\s*'([^']+)'/gm,
  );
  return [...statements].map(([statement, source, bare, dynamic]) => {
    const specifier = source ?? bare ?? dynamic ?? '';
    const isType = /^(?:import|export) type /.test(statement);
    return { from, to: toFile(from, specifier), isType };
  });
}

/** The package's own name stands for its exports, which are the mock's. */
function toFile(from: string, specifier: string): string {
  if (specifier.startsWith('.')) return relative(root, join(root, dirname(from), specifier));
  return specifier === 'animal-store-mock' ? 'mock/server.ts' : specifier;
}

function isTest(file: string): boolean {
  return file.endsWith('.test.ts') || file.includes('/testing/');
}

/** Imports that are not allowed, as they are to be read in a failure. */
function find(isForbidden: (edge: Import) => boolean): string[] {
  return imports.filter(isForbidden).map(({ from, to }) => `${from} imports ${to}`);
}

function folderOf(file: string): string {
  return file.split('/')[0] ?? '';
}

/** The package of a specifier that names a file in it. */
function packageOf(specifier: string): string {
  return /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? '';
}

const ours = ['common', 'fixtures', 'mock', 'contract-tests', 'bench'];

/** What the program of each folder may import: which of our folders, and which packages beside Node's own. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  common: ['common', 'yaml'],
  fixtures: ['fixtures', 'common', '@faker-js/faker', '@faker-js/faker/locale/en'],
  mock: [
    'mock',
    'fixtures',
    'common',
    'express',
    'commander',
    '@stoplight/prism-http',
    '@stoplight/http-spec',
    '@stoplight/json',
    '@stoplight/json-schema-ref-parser',
  ],
  'contract-tests': [
    'contract-tests',
    'fixtures',
    'common',
    'ajv',
    'ajv-formats',
    'commander',
    'dredd',
    'fast-check',
    'supertest',
    'vitest',
  ],
  bench: ['bench'],
};

/** The deployments that prove the suite are made of the mock's app. */
function isDeployment(file: string): boolean {
  return file.startsWith('contract-tests/deployments/');
}

/**
 * The layers of the mock, the outermost first: a file imports only from its own layer or from one further in. Every
 * file is named here.
 */
const layers: readonly (readonly string[])[] = [
  ['cli'],
  ['on-parent-gone', 'run-mock', 'run-proxy', 'checked-proxy-worker'],
  ['describe-start-failure'],
  ['parse-arguments', 'parse-proxy-arguments', 'program'],
  ['server'],
  ['start-checked-proxy-worker'],
  ['checked-proxy'],
  [
    'app',
    'create-http-server',
    'origin-of',
    'to-origin-form',
    'create-batched-write',
    'create-close',
    'answer-client-error',
    'request-log',
    'hide-keys',
    'read-data-file',
    'options',
    'option-specs',
  ],
  ['cors', 'error-writer', 'routes/mount-pet-routes', 'routes/mount-message-route'],
  ['routes/method-not-allowed', 'routes/read-body', 'reply-writer'],
  ['operations'],
  ['list-printer', 'parse-json-object', 'validation', 'auth'],
  ['errors', 'pet-store', 'print-pet', 'describe-value', 'int64', 'log-format', 'to-one-line'],
  ['reply'],
];

function layerOf(file: string): number {
  const name = file.replace(/^mock\//, '').replace(/^(checked-proxy)\/.*|\.ts$/, '$1');
  return layers.findIndex((layer) => layer.includes(name));
}

test('imports are found', () => {
  expect(imports).toContainEqual({ from: 'mock/run-mock.ts', to: 'mock/server.ts', isType: false });
  expect(imports).toContainEqual({ from: 'mock/app.ts', to: 'express', isType: false });
  expect(imports).toContainEqual({ from: 'mock/cors.ts', to: 'express', isType: true });
});

test('every file of the mock has a layer', () => {
  const program = sources.filter((file) => /^mock\/.*\.ts$/.test(file) && !isTest(file));
  expect(program.filter((file) => layerOf(file) === -1)).toEqual([]);
});

test('a layer of the mock imports only what is further in', () => {
  const isInside = ({ from, to }: Import) =>
    !isTest(from) && from.startsWith('mock/') && to.startsWith('mock/');
  expect(find((edge) => isInside(edge) && layerOf(edge.to) < layerOf(edge.from))).toEqual([]);
});

test('a folder imports only the folders and packages it may', () => {
  const isAllowed = ({ from, to }: Import) =>
    to.startsWith('node:') ||
    to.startsWith('animal-store-mock/') ||
    [to, folderOf(to), packageOf(to)].some((name) => allowed[folderOf(from)]?.includes(name)) ||
    (isDeployment(from) && folderOf(to) === 'mock');
  expect(find((edge) => !isTest(edge.from) && !isAllowed(edge))).toEqual([]);
});

test('no program imports what is there for tests', () => {
  expect(find(({ from, to }) => !isTest(from) && isTest(to))).toEqual([]);
});

test('nothing imports in a circle', () => {
  const circles: string[] = [];
  const walk = (file: string, path: readonly string[]) => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '));
    else for (const { from, to } of imports) if (from === file) walk(to, [...path, file]);
  };
  walk('mock/bin.js', []);
  walk('contract-tests/cli.ts', []);
  walk('mock/cli.ts', []);
  walk('bench/cli.ts', []);
  expect(circles).toEqual([]);
});

test('of faker only the one locale is loaded', () => {
  const isFaker = (line: string) => line.includes('@faker-js/faker') && !line.startsWith('import type');
  const lines = sources.flatMap(
    (file) => readFileSync(join(root, file), 'utf8').match(/^import .*$/gm) ?? [],
  );
  expect(lines.filter(isFaker)).toEqual(["import { faker } from '@faker-js/faker/locale/en';"]);
});

test('operations and what is below know no HTTP library', () => {
  const inner = layers.findIndex((layer) => layer.includes('operations'));
  const isInner = (file: string) => file.startsWith('mock/') && !isTest(file) && layerOf(file) >= inner;
  const isKnown = (to: string) =>
    ours.includes(folderOf(to)) || ['node:crypto', 'node:util', 'node:stream'].includes(to);
  expect(find(({ from, to }) => isInner(from) && !isKnown(to))).toEqual([]);
});

test('the store imports types and nothing else', () => {
  expect(find(({ from, isType }) => from === 'mock/pet-store.ts' && !isType)).toEqual([]);
});

test('only the options read the environment, and only the command ends the process', () => {
  const program = sources.filter((file) => file.startsWith('mock/') && !isTest(file));
  const using = (pattern: RegExp) =>
    program.filter((file) => pattern.test(readFileSync(join(root, file), 'utf8')));
  expect(using(/process\.env|\benv\b[^\n]*= process|process\[/)).toEqual(['mock/options.ts']);
  expect(using(/process\.(exit|kill|abort)/).sort()).toEqual(['mock/cli.ts']);
});

test('the judge of the mock shares no code with its validation', () => {
  const reached = new Set<string>();
  const walk = (file: string) => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const { from, to } of imports) if (from === file) walk(to);
  };
  walk('mock/testing/judge.ts');
  expect([...reached].filter((file) => ours.includes(folderOf(file)))).toEqual([
    'mock/testing/judge.ts',
    'common/contract.ts',
    'common/contract-file.ts',
  ]);
});
