import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/** One file that imports another, both from the root on, or a package. */
interface Import {
  readonly from: string;
  readonly to: string;
  readonly isType: boolean;
}

/**
 * Who may import whom: each place with the places, files and packages that it may import beside itself. The longest
 * place that a file begins with is its own. Node's own modules are open to all but those in `withoutHttp`.
 */
const mayImport: Readonly<Record<string, string>> = {
  'common/': 'yaml commander rolldown',
  'fixtures/': 'common/ @faker-js/faker @faker-js/faker/locale/en',
  'mock/': 'mock/http/ mock/control/ mock/api/ fixtures/ common/ console/build.js',
  'mock/http/': 'mock/control/ mock/api/ common/ express yaml swagger-ui-dist',
  'mock/control/': 'mock/api/ common/',
  'mock/api/': 'common/',
  'console/': 'common/ preact htm rolldown',
  'proxy/': 'proxy/relay/ proxy/recorded/ proxy/judge/ proxy/findings/ proxy/watch/ common/ console/build.js',
  'proxy/relay/': 'proxy/exchange.ts common/',
  'proxy/recorded/': 'proxy/relay/ proxy/exchange.ts common/',
  'proxy/judge/':
    'proxy/exchange.ts common/ @stoplight/prism-http @stoplight/http-spec @stoplight/json ' +
    '@stoplight/json-schema-ref-parser ajv',
  'proxy/findings/': 'proxy/exchange.ts common/',
  'proxy/watch/': 'proxy/exchange.ts common/',
  'contract-tests/':
    'contract-tests/clauses/ contract-tests/reporters/ contract-tests/replay/ contract-tests/core/ common/ ' +
    'commander vitest',
  'contract-tests/clauses/': 'contract-tests/core/ contract-tests/replay/ fixtures/ common/ fast-check',
  'contract-tests/core/': 'common/ ajv ajv-formats fast-check',
  'contract-tests/replay/': 'contract-tests/core/ common/ dredd',
  'contract-tests/reporters/': 'contract-tests/report.ts common/',
  'contract-tests/deployments/':
    'contract-tests/ contract-tests/core/ mock/ mock/api/ mock/http/ fixtures/ common/',
  'contract-tests/mutants/':
    'contract-tests/ contract-tests/clauses/ contract-tests/core/ @stryker-mutator/instrumenter',
  'examples/':
    'animal-store-mock animal-store-contract-tests vitest vite @vitejs/plugin-react @playwright/test openapi-fetch ' +
    'cypress @sparticuz/chromium yaml',
  'bench/': '',
  'fuzz/': 'bench/ fast-check',
  'soak/': 'fuzz/ bench/ fast-check',
  'generated-clients/': 'openapi-fetch openapi-typescript typescript',
};

/** What knows no HTTP library. */
const withoutHttp = /^mock\/(?:api|control)\//;

const files = globSync(
  '{common,fixtures,mock,console,proxy,contract-tests,examples,bench,fuzz,soak,generated-clients}/**/*.{ts,js,mjs}',
  {
    cwd: root,
    exclude: ['**/dist/**', '**/node_modules/**'],
  },
).filter((file) => !file.endsWith('.d.ts'));
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const isTest = (file: string) => /\.test\.ts$|\/testing\//.test(file);
const programs = files.filter((file) => !isTest(file));
const imports = files.flatMap(readImports);

function readImports(from: string): Import[] {
  const statements = read(from).matchAll(
    /^(?:import|export)\s[^;]*?from\s+'([^']+)'|^import\s+'([^']+)'|\b(?:import|require)\(\s*'([^']+)'/gm,
  );
  return [...statements].map(([statement, source, bare, dynamic]) => {
    const specifier = source ?? bare ?? dynamic ?? '';
    const to = specifier.startsWith('.') ? relative(root, join(root, dirname(from), specifier)) : specifier;
    return { from, to, isType: /^(?:import|export) type /.test(statement) };
  });
}

function placeOf(file: string): string {
  const places = Object.keys(mayImport).filter((place) => file.startsWith(place));
  return places.toSorted((one, other) => other.length - one.length)[0] ?? '';
}

function isAllowed({ from, to }: Import): boolean {
  if (to.startsWith('node:')) return !(withoutHttp.test(from) && /^node:(?:https?2?|net|tls)$/.test(to));
  const place = placeOf(from);
  const [name = ''] = /^(?:@[^/]+\/)?[^/]+/.exec(to) ?? [];
  const allowed = [place, ...(mayImport[place] ?? '').split(' ')];
  return [placeOf(to), to, name].some((one) => allowed.includes(one));
}

function find(isForbidden: (edge: Import) => boolean): string[] {
  return imports.filter(isForbidden).map(({ from, to }) => `${from} imports ${to}`);
}

/** Every file that a file reaches by its imports, itself among them. */
function reach(file: string, reached = new Set<string>()): Set<string> {
  if (reached.has(file)) return reached;
  reached.add(file);
  for (const { from, to } of imports) if (from === file) reach(to, reached);
  return reached;
}

test('imports are found', () => {
  expect(imports).toContainEqual({ from: 'mock/cli.ts', to: 'mock/launch-mock.ts', isType: false });
  expect(imports).toContainEqual({ from: 'mock/http/app.ts', to: 'express', isType: false });
  expect(imports).toContainEqual({ from: 'mock/http/authenticate.ts', to: 'express', isType: true });
});

test('a place imports only the places and packages that it may', () => {
  expect(find((edge) => !isTest(edge.from) && !isAllowed(edge))).toEqual([]);
});

test('no program imports what is there for tests', () => {
  expect(find(({ from, to }) => !isTest(from) && isTest(to))).toEqual([]);
});

test('nothing imports in a circle', () => {
  const isInCircle = (file: string) =>
    imports.some(({ from, to, isType }) => from === file && !isType && to !== file && reach(to).has(file));
  expect(programs.filter(isInCircle)).toEqual([]);
});

test('of faker only the one locale is loaded', () => {
  const lines = programs.flatMap((file) => read(file).match(/^import (?!type).*@faker-js\/faker.*$/gm) ?? []);
  expect(lines).toEqual(["import { faker } from '@faker-js/faker/locale/en';"]);
});

test('the store imports types and nothing else', () => {
  expect(find(({ from, isType }) => from === 'mock/api/pet-store.ts' && !isType)).toEqual([]);
});

test('only the options read the environment, and only the commands end the process', () => {
  const using = (pattern: RegExp) =>
    programs.filter((file) => /^(?:common|mock|proxy)\//.test(file) && pattern.test(read(file))).sort();
  expect(using(/process\.env|\benv\b[^\n]*= process|process\[/)).toEqual(['common/read-options.ts']);
  expect(using(/process\.(?:exit|kill|abort)\b/)).toEqual(['common/run-program.ts']);
});

test('the judge of the mock shares no code with its validation', () => {
  const ours = [...reach('mock/testing/judge.ts')].filter((file) => files.includes(file));
  expect(ours).toEqual(['mock/testing/judge.ts', 'common/contract.ts', 'common/contract-file.ts']);
});
