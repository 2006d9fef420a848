import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');

/** One file that imports another, both from the root on, or a package. */
interface Import {
  readonly from: string;
  readonly to: string;
  readonly isType: boolean;
  /** True if it is loaded when it is needed. */
  readonly isLazy: boolean;
}

/**
 * Who may import whom: each place with the places, files and packages that it may import in addition to itself. The longest
 * place that a file begins with is its own. Node's own modules are open to all but `browserRooms`.
 */
const mayImport: Readonly<Record<string, string>> = {
  'common/': 'express yaml commander cross-spawn valibot https-proxy-agent proxy-from-env',
  'fixtures/': 'common/ @faker-js/faker @faker-js/faker/locale/en rolldown',
  'mock/':
    'mock/browser/ mock/client/ mock/playwright/ mock/assumptions/ mock/files/ mock/learn/ mock/server/ mock/session/ mock/faults/ mock/journal/ mock/choices/ mock/service/ fixtures/ common/ console/build.js tools/pack/ express valibot rolldown',
  'mock/browser/':
    'mock/contract.ts mock/session/ mock/faults/ mock/journal/ mock/choices/ mock/service/ fixtures/ common/ tools/pack/ rolldown valibot',
  'mock/client/': 'mock/mock.ts mock/session/ mock/faults/ common/',
  'mock/playwright/': 'mock/index.ts mock/mock-options.ts mock/client/ common/ @playwright/test',
  'mock/assumptions/':
    'mock/launch-mock.ts mock/mock.ts mock/mock-options.ts mock/options.ts mock/files/read-server-tls.ts mock/session/ mock/faults/ mock/choices/ common/ cross-spawn',
  'mock/files/': 'mock/contract.ts mock/learn/ mock/session/ mock/choices/ mock/service/ common/',
  'mock/learn/': 'mock/contract.ts mock/choices/ mock/service/ common/ valibot',
  'mock/server/':
    'mock/session/ mock/faults/ mock/journal/ mock/choices/ mock/service/ common/ express yaml swagger-ui-dist valibot @valibot/to-json-schema',
  'mock/session/': 'mock/faults/ mock/journal/ mock/choices/ mock/service/ common/ valibot',
  'mock/faults/': 'mock/session/ common/ valibot',
  'mock/journal/': 'mock/session/ common/ valibot',
  'mock/choices/': 'mock/service/ common/',
  'mock/service/': 'common/',
  'console/':
    'common/ mock/session/ mock/faults/ mock/choices/ tools/pack/ @preact/signals preact htm rolldown',
  'proxy/':
    'proxy/bytes/ proxy/relay/ proxy/har/ proxy/validate/ proxy/findings/ proxy/console-api/ common/ console/build.js ' +
    'tools/pack/ valibot yaml',
  'proxy/bytes/': 'proxy/exchange.ts common/',
  'proxy/relay/': 'proxy/bytes/ proxy/exchange.ts common/',
  'proxy/har/': 'proxy/bytes/ proxy/exchange.ts common/',
  'proxy/validate/':
    'proxy/exchange.ts common/ @stoplight/prism-http @stoplight/http-spec @stoplight/json ' +
    '@stoplight/json-schema-ref-parser ajv',
  'proxy/findings/': 'proxy/exchange.ts common/',
  'proxy/console-api/': 'proxy/exchange.ts common/ express',
  'contract-tests/failures/': 'common/',
  'contract-tests/':
    'contract-tests/runner/ contract-tests/rules/ contract-tests/reporters/ ' +
    'contract-tests/client/ contract-tests/failures/ common/ tools/pack/ valibot vitest',
  'contract-tests/runner/':
    'contract-tests/options.ts contract-tests/requests/ contract-tests/rules/ contract-tests/history/ ' +
    'contract-tests/client/ contract-tests/failures/ common/ valibot yaml',
  'contract-tests/requests/':
    'contract-tests/history/ contract-tests/client/ contract-tests/failures/ fixtures/ common/',
  'contract-tests/rules/':
    'contract-tests/requests/ contract-tests/history/ contract-tests/client/ ' +
    'contract-tests/failures/ common/ ajv ajv-formats',
  'contract-tests/history/': 'contract-tests/client/ contract-tests/failures/ common/',
  'contract-tests/client/': 'contract-tests/failures/ common/ p-limit',
  'contract-tests/dredd/': 'contract-tests/read-target.ts contract-tests/client/ common/ hooks yaml',
  'contract-tests/reporters/':
    'contract-tests/runner/report.ts contract-tests/rules/specification.ts contract-tests/history/tolerances.ts ' +
    'contract-tests/failures/ common/ yaml',
  'contract-tests/deployments/':
    'contract-tests/ contract-tests/runner/ contract-tests/client/ mock/ mock/session/ mock/faults/ mock/choices/ mock/service/ mock/server/ fixtures/ common/',
  'examples/':
    'animal-store-mock animal-store-contract-tests vitest vite @vitejs/plugin-react @playwright/test openapi-fetch ' +
    'msw tools/chromium/ tools/install/ tools/nodes/ yaml',
  'tools/executable/': 'tools/install/',
  'tools/bench/': 'express',
  'tools/chromium/': 'tools/install/ @sparticuz/chromium',
  'tools/install/': '',
  'tools/nodes/': 'tools/install/',
  'tools/openapi/': 'tools/install/ mock/write-control-api.ts',
  'tools/pack/': 'common/ rolldown yaml',
  'tools/published/': 'tools/install/',
};

/** Rooms whose files, with everything that they import, run in a browser. */
const browserRooms = /^mock\/(?:client|session|faults|journal|choices|service)\//;

const files = globSync(
  '{common,fixtures,mock,console,proxy,contract-tests,examples,tools}/**/*.{ts,js,cjs,mjs}',
  { cwd: root, exclude: ['**/dist/**', '**/node_modules/**'] },
).filter((file) => !file.endsWith('.d.ts'));
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const isTest = (file: string) => /\.test\.ts$|(?:^|\/)testing\//.test(file);
const programs = files.filter((file) => !isTest(file));
const imports = files.flatMap(readImports);
const importsOf = Map.groupBy(imports, ({ from }) => from);

function readImports(from: string): Import[] {
  const statements = read(from).matchAll(
    /^(?:import|export)\s[^;]*?from\s+'([^']+)'|^import\s+'([^']+)'|\b(?:import|require)\(\s*'([^']+)'/gm,
  );
  return [...statements].map(([statement, source, bare, dynamic]) => {
    const specifier = source ?? bare ?? dynamic ?? '';
    const to = specifier.startsWith('.') ? relative(root, join(root, dirname(from), specifier)) : specifier;
    const isType = /^(?:import|export) type /.test(statement);
    return { from, to, isType, isLazy: dynamic !== undefined };
  });
}

function placeOf(file: string): string {
  // The broken deployments of clauses stand next to them, and no clause may know them.
  if (file.endsWith('.deployments.ts')) return 'contract-tests/deployments/';
  const places = Object.keys(mayImport).filter((place) => file.startsWith(place));
  return places.toSorted((one, other) => other.length - one.length)[0] ?? '';
}

function isAllowed({ from, to }: Import): boolean {
  if (to.startsWith('node:')) return true;
  const place = placeOf(from);
  const [name = ''] = /^(?:@[^/]+\/)?[^/]+/.exec(to) ?? [];
  const allowed = [place, ...(mayImport[place] ?? '').split(' ')];
  return [placeOf(to), to, name].some((one) => allowed.includes(one));
}

function find(isForbidden: (edge: Import) => boolean): string[] {
  return imports.filter(isForbidden).map(({ from, to }) => `${from} imports ${to}`);
}

/** Returns every file and package that a file reaches by its imports, and itself. */
function reach(file: string, hasTypes = true, reached = new Set<string>(), hasLazy = true): Set<string> {
  if (reached.has(file)) return reached;
  reached.add(file);
  for (const { to, isType, isLazy } of importsOf.get(file) ?? [])
    if ((hasTypes || !isType) && (hasLazy || !isLazy)) reach(to, hasTypes, reached, hasLazy);
  return reached;
}

test('every file that is imported by its path exists, also by a script that the compiler does not check', () => {
  const isFile = (to: string) => existsSync(join(root, to));
  expect(
    find(({ from, to }) => /\.(?:cjs|mjs|js)$/.test(from) && /^[\w-]+\/.*\.ts$/.test(to) && !isFile(to)),
  ).toEqual([]);
});

test('a place imports only the places and packages that it may', () => {
  expect(imports).toContainEqual({
    from: 'mock/run-mock.ts',
    to: 'mock/launch-mock.ts',
    isType: false,
    isLazy: false,
  });
  expect(find((edge) => !isTest(edge.from) && !isAllowed(edge))).toEqual([]);
});

test('the session, and everything that it imports, runs in a browser', () => {
  const reached = programs
    .filter((file) => browserRooms.test(file))
    .flatMap((file) => [...reach(file, false)]);
  expect(reached).toContain('common/journal/journal-entry.ts');
  // valibot runs in a browser too.
  const others = [...new Set(reached)].filter((to) => !files.includes(to));
  expect(others).toEqual(['valibot']);
});

test('a proxy starts without what loads slowly: Prism, Express, the command line and TLS', () => {
  const loaded = [...reach('proxy/run-in-thread.ts', false, new Set(), false)];
  const packages = loaded.filter((one) => !files.includes(one) && !one.startsWith('node:'));
  // A bundle has openapi.yaml as data.
  expect(packages.sort()).toEqual(['proxy-from-env', 'valibot', 'yaml']);
  const slow = ['node:https', 'node:tls', 'node:crypto', 'node:child_process'];
  expect(slow.filter((one) => loaded.includes(one))).toEqual([]);
});

test('the console imports only types of the mock, the choices and the table of faults', () => {
  const isValue = ({ from, to, isType }: Import) =>
    from.startsWith('console/') &&
    to.startsWith('mock/') &&
    to !== 'mock/faults/fault-effects.ts' &&
    !to.startsWith('mock/choices/') &&
    !isType;
  expect(find((edge) => !isTest(edge.from) && isValue(edge))).toEqual([]);
});

test('the tolerance of the suite is written by hand, without the table of choices', () => {
  const isTolerant = /^contract-tests\/(?:requests|history|runner|client)\//;
  expect(find(({ from, to }) => isTolerant.test(from) && to.startsWith('mock/choices/'))).toEqual([]);
});

test('no program imports what is there for tests', () => {
  expect(find(({ from, to }) => !isTest(from) && isTest(to))).toEqual([]);
});

test('nothing imports in a circle', () => {
  const isInCircle = (file: string) =>
    importsOf.get(file)?.some(({ to, isType }) => !isType && to !== file && reach(to).has(file));
  expect(programs.filter(isInCircle)).toEqual([]);
});

test('only the options read the environment, and only the commands end the process', () => {
  const using = (pattern: RegExp) =>
    programs.filter((file) => /^(?:common|mock|proxy)\//.test(file) && pattern.test(read(file))).sort();
  expect(using(/process\.env|\benv\b[^\n]*= process|process\[/)).toEqual(['common/cli/environment.ts']);
  const ending = ['common/cli/end-tree.ts', 'common/cli/run-task.ts', 'mock/run-mock.ts'];
  expect(using(/process\.(?:exit|kill|abort)\b/)).toEqual(ending);
});

test('the check of the responses of the mock shares no code with the mock', () => {
  const ours = [...reach('mock/testing/document-check.ts')].filter((file) => files.includes(file));
  expect(ours).toEqual(['mock/testing/document-check.ts']);
});
