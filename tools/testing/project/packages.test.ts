import { existsSync, globSync, readFileSync } from 'node:fs';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { parse } from 'yaml';
import { docsPages } from '../../../common/docs-pages.ts';
import { flags, root, run } from './install-packages.ts';
import { projectVersion } from './project-version.ts';
import { projects, readJson, start, startMock } from './user-projects.ts';

/** The packages, each with the most megabytes that it may have. */
const packages = Object.entries({ mock: 4, proxy: 5, 'contract-tests': 5 }).map(
  ([name, megabytes]) => [`animal-store-${name}`, megabytes] as const,
);

/** Makes Node take itself for one that is too old. */
const old = `Object.defineProperties(process,{version:{value:'v20.0.0'},versions:{value:{node:'20.0.0'}}})`;

test('npm installs the three packages and nothing else', () => {
  const installed = readJson(projects, 'pages/node_modules/.package-lock.json').packages;
  const folders = packages.map(([name]) => `node_modules/${name}`);
  expect(new Set(Object.keys(installed))).toEqual(new Set(folders));
});

test.for(packages)('%s has at most %d MB', async ([name, megabytes]) => {
  const size = await run('du', ['-sm', '--apparent-size', name], join(projects, name, 'node_modules'));
  expect(Number.parseInt(size, 10)).toBeLessThanOrEqual(megabytes);
});

test.runIf(inject('isWhole'))(
  'npm installs the mock and the suite next to Vitest 3 and a later proxy',
  async () => {
    const peers = { vitest: '3.0.0', 'animal-store-proxy': '0.1.1' };
    const cwd = join(projects, 'next-to-peers');
    for (const [name, version] of Object.entries(peers)) {
      await mkdir(join(cwd, name), { recursive: true });
      await writeFile(join(cwd, name, 'package.json'), JSON.stringify({ name, version }));
    }
    const tarballs = ['animal-store-mock', 'animal-store-contract-tests'].map(
      (one) => `../${one}-${projectVersion}.tgz`,
    );
    const folders = Object.keys(peers).map((name) => `./${name}`);
    const stdout = await run('npm', ['install', '--dry-run', ...flags, ...folders, ...tarballs], cwd);
    for (const [name, version] of Object.entries(peers)) expect(stdout).toContain(`add ${name} ${version}\n`);
    expect(stdout).toContain(`add animal-store-contract-tests ${projectVersion}\n`);
  },
);

test.for(packages)('%s holds the program, its contract and no tests', ([name]) => {
  const files = globSync(['LICENSE', '**/*.*'], { cwd: join(projects, name, 'node_modules', name) });
  const pages = Object.values(docsPages).map((page) => `docs/${page}`);
  const needed = ['LICENSE', 'README.md', 'bin.js', 'dist/openapi.yaml', ...pages];
  expect(files).toEqual(expect.arrayContaining(needed));
  expect(
    files.filter((file) => /\.(?:test|deployments)\.|\/(?:testing|deployments)\/|(?<!\.d)\.ts$/.test(file)),
  ).toEqual([]);
});

test.for(packages)('the links of the pages in %s lead somewhere', ([name]) => {
  const cwd = join(projects, name, 'node_modules', name, 'docs');
  const pages = globSync('**/*.md', { cwd });
  const links = pages.flatMap((page) =>
    [...readFileSync(join(cwd, page), 'utf8').matchAll(/(?:\]\(|src(?:set)?=")(?!https?:|#)([^)#"]+)/g)].map(
      ([, path = '']) => join(page, '..', path),
    ),
  );
  expect(links.length).toBeGreaterThan(50);
  expect(links.filter((link) => link.startsWith('..') || !existsSync(join(cwd, link)))).toEqual([]);
});

/** A package in a list of CycloneDX. Source: https://cyclonedx.org/docs/1.6/json */
interface Component {
  readonly 'bom-ref': string;
  readonly type: string;
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses: readonly { readonly license: { readonly id?: string; readonly name?: string } }[];
}

/** Returns the scripts of a package; those of the console are minified. */
const readScripts = (cwd: string) =>
  globSync('dist/**/*.js', { cwd, exclude: ['dist/console/**'] }).map((file) =>
    readFileSync(join(cwd, file), 'utf8'),
  );

const nameOf = ({ group, name }: Component) => (group === undefined ? name : `${group}/${name}`);

test.for(packages)('%s lists what is bundled as CycloneDX does, with the licenses', ([name]) => {
  const cwd = join(projects, name, 'node_modules', name);
  const { components, ...bom } = readJson(cwd, 'dist/bom.json');
  const { version } = readJson(cwd, 'package.json');
  const own = { type: 'library', name, version, purl: `pkg:npm/${name}@${version}` };
  const header = { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, metadata: { component: own } };
  expect(bom).toMatchObject(header);
  const listed: readonly Component[] = components;
  for (const component of listed) {
    const purl = `pkg:npm/${nameOf(component).replace('@', '%40')}@${component.version}`;
    expect(component).toMatchObject({ type: 'library', 'bom-ref': purl, purl });
    const [license] = component.licenses.map(({ license }) => license);
    // CycloneDX takes as an id only what SPDX has.
    if (license?.name !== 'Public Domain')
      expect(license?.id).toMatch(/^(?:0BSD|Apache-2\.0|BSD-[23]-Clause|ISC|MIT|WTFPL)$/);
  }
  const ids = listed.map((component) => `${nameOf(component)} ${component.version}`);
  expect(new Set(ids).size).toBe(ids.length);
  // The bundler has written the file of each module above its code.
  const files = readScripts(cwd).flatMap((script) => script.match(/(?<=^\/\/ ).*node_modules\/\S+$/gm) ?? []);
  const folders = files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
  const source = join(root, name.replace('animal-store-', ''));
  const bundled = [...new Set(folders)].map((folder) => readJson(source, folder, 'package.json'));
  expect(ids).toEqual(expect.arrayContaining(bundled.map(({ name, version }) => `${name} ${version}`)));
  expect(bundled.length).toBeGreaterThan(0);
  const licenses = readFileSync(join(cwd, 'dist/LICENSES'), 'utf8').split(`\n${'-'.repeat(80)}\n`);
  expect(licenses.map((text) => text.replace(/ \([^)]*\)\n.*$/s, ''))).toEqual(ids);
  const texts = licenses.map((one) => one.replace(/^.* \(.*\)\n\n/, ''));
  expect(texts.filter((text) => !/copyright|public domain/i.test(text))).toEqual([]);
});

test.for(packages)('%s depends on nothing, and imports nothing but optional peers', ([name]) => {
  const cwd = join(projects, name, 'node_modules', name);
  const imports = readScripts(cwd)
    .join('\n')
    .matchAll(/(?:^(?:import|export|\}).* from |await import\()['"]([^.'"][^'"]*)['"]\)?;$/gm);
  const imported = [...imports].flatMap(([, path = '']) => /^(?:@[^/]+\/)?[^/]+/.exec(path) ?? []);
  const { dependencies, peerDependencies = {} } = readJson(cwd, 'package.json');
  expect(imported.filter((path) => !isBuiltin(path) && !(path in peerDependencies))).toEqual([]);
  expect(dependencies).toBeUndefined();
});

test.for([
  ...packages.map(([name]) => [name, name]),
  ['animal-store-mock', 'animal-store-mock/client'],
  ...packages.map(([name]) => [name, `./node_modules/${name}/bin.js`]),
])(
  'on a Node that is too old, %s says so, and how to get a newer one: %s',
  async ([name = '', program = '']) => {
    const script = `import('${program}').catch(({ message }) => { console.error(message); process.exit(1) })`;
    const args = ['--import', `data:text/javascript,${old}`, '--eval', script];
    const { stderr } = await run('node', args, join(projects, name)).catch((error) => error);
    expect(stderr).toMatch(
      /^animal-store\S* needs Node 22\.15 or later, and this is v20\.[\d.]+\. Add one: npm install --save-dev node@24(?:\. Then start your script with npx node\.)?\n$/,
    );
  },
);

test('the mock alone starts by npx, says how to get the checked proxy, and serves its documents, its API reference and its console', async () => {
  const wanted = /^animal-store-mock listening on (\S+)(?:.*\n){5}checked proxy not installed: install .*\n$/;
  const [, url] = await startMock(wanted, ['npx', '--no', '--', 'animal-store-mock']);
  const { origin } = new URL(url ?? '');
  const servers = { 'openapi.yaml': url, 'openapi.json': url, '__admin/openapi.json': origin };
  for (const [name, server] of Object.entries(servers)) {
    const text = await (await fetch(new URL(`/${name}`, url))).text();
    expect(parse(text).servers).toMatchObject([{ url: server }]);
  }
  const viewer = await fetch(new URL('/docs/swagger-ui-bundle.js', url));
  const installed = join(root, 'node_modules/swagger-ui-dist/swagger-ui-bundle.js');
  expect(await viewer.text()).toBe(readFileSync(installed, 'utf8'));
  expect(await (await fetch(new URL('/docs', url))).text()).toContain('docs/swagger-ui-bundle.js');
  const readPart = async (path: string) =>
    (await fetch(new URL(path, url), { headers: { Accept: 'text/html' } })).text();
  const [, script = ''] = /<script type="module" src="([^"]+)">/.exec(await readPart('/')) ?? [];
  expect(await readPart(script)).toContain('no longer kept');
});

test('the mock alone is no gate, and says what to install', async () => {
  const cwd = join(projects, 'animal-store-mock');
  const gate = run(
    'npx',
    ['--no', '--', 'animal-store-mock', '--fail-on', 'error', '--', 'node', '--version'],
    cwd,
  );
  await expect(gate).rejects.toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('install the tarball of animal-store-proxy next to the mock'),
  });
});

test('the library alone serves CommonJS, and says how to get the checked proxy', async () => {
  const script = `(async () => {
    const { startMock, ...others } = require('animal-store-mock');
    console.log(['client', 'types', 'browser'].map((name) => require.resolve('animal-store-mock/' + name).slice(-3)).join());
    const { petStatuses, printInt64, readInt64 } = require('animal-store-mock/types');
    console.log(petStatuses.length, printInt64({ id: JSON.parse('{"id":7}', readInt64).id }));
    console.log(require('animal-store-mock/client').connectMock('http://a').url);
    const { createBrowserMock } = require('animal-store-mock/browser');
    console.log(createBrowserMock({ all: (path) => path }).animals.size);
    const { name, message } = await startMock({ port: 0, checkedProxy: true }).catch((error) => error);
    console.log(Object.keys(others).join(), name, message)})()`;
  const cwd = join(projects, 'animal-store-mock');
  const inJsdom =
    "fetch = TextEncoder = undefined; require('animal-store-mock/client').connectMock('http://a')";
  await expect(run('node', ['--eval', inJsdom], cwd)).rejects.toThrow(
    'There is no TextEncoder here. In Jest, set testEnvironment to node, or to jest-fixed-jsdom.',
  );
  // In what --eval runs, `exports` is a global, which no file has.
  await writeFile(join(cwd, 'values.cjs'), script);
  expect(await run('node', ['values.cjs'], cwd)).toBe(
    'cjs,cjs,cjs\n3 {"id":7}\nhttp://a/v1\n120\nDataFileError,UsageError,connectMock,forEachBehaviour UsageError checked proxy not installed: install the tarball of animal-store-proxy next to the mock\n',
  );
});

// The guide for frontends has tests of a component, which page-commands.test.ts runs each time.
test.runIf(inject('isWhole')).for(['jsdom', 'happy-dom'])(
  'tests of components in %s use the mock',
  async (environment) => {
    const cwd = join(projects, `in-${environment}`);
    await cp(join(projects, 'animal-store-mock/node_modules'), join(cwd, 'node_modules'), {
      recursive: true,
    });
    for (const name of ['vitest', 'msw', environment])
      await symlink(join(root, 'node_modules', name), join(cwd, 'node_modules', name));
    await cp(join(root, 'tools/testing/environments'), cwd, { recursive: true });
    const args = ['node_modules/vitest/vitest.mjs', 'run', '--no-color', '--environment', environment];
    const output = await run('node', args, cwd).catch(({ stdout, stderr }) => stdout + stderr);
    expect(output).toMatch(/^ Test Files {2}3 passed \(3\)$/m);
  },
);

test('the proxy alone starts by npx, and checks by its contract', async () => {
  const args = ['http://127.0.0.1:9/v1', '--port', '0', '--block'];
  const wanted = /^checked proxy listening on (\S+)\n/;
  const [, url] = await start('animal-store-proxy', args, wanted, [
    'npx',
    '--no',
    '--',
    'animal-store-proxy',
  ]);
  const answer = await fetch(`${url}/pets?limit=0`);
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('minimum')]);
});

test('the suite alone verifies by npx', async () => {
  const [, url = ''] = await startMock(/listening on (\S+)\n/);
  // The guides, whose commands page-commands.test.ts runs, have whole runs.
  const args = [
    url,
    '--api-key',
    'test-key',
    '--only',
    'list-pets/success',
    '--reporter',
    'html=report.html',
  ];
  const cwd = join(projects, 'animal-store-contract-tests');
  const printed = await run('npx', ['--no', '--', 'animal-store-verify', ...args], cwd);
  expect(printed).toContain('1 passed, 0 failed, ');
  expect(readFileSync(join(cwd, 'report.html'), 'utf8')).toMatch(/^<!doctype html>.*<\/html>\n$/s);
  const script = `console.log(require('animal-store-contract-tests/report.schema.json').title)`;
  expect(await run('node', ['--eval', script], cwd)).toContain('animal-store-verify');
});

test('the suite alone is a library, for CommonJS too', async () => {
  const [, baseUrl] = await startMock(/listening on (\S+)\n/);
  const options = { baseUrl, apiKey: 'test-key', allowWrites: true, only: ['list-pets/success'] };
  const script = `
    const { CouldNotTell, verifyDeployment } = require('animal-store-contract-tests');
    const verify = (changes) => verifyDeployment({ ...${JSON.stringify(options)}, ...changes });
    verify({}).then(async ({ verdict, outcomes }) => {
      const error = await verify({ apiKey: 'another' }).catch((one) => one);
      console.log(verdict, outcomes.map(({ clause }) => clause.id).join(), error instanceof CouldNotTell);
    })`;
  const printed = await run('node', ['--eval', script], join(projects, 'animal-store-contract-tests'));
  expect(printed).toMatch(/^conforms in part .*list-pets\/success.* true\n$/);
});

const nodeTypes = join(root, 'node_modules/@types');

test.for([
  ['animal-store-mock', ['--types', '', '--lib', 'es2022']],
  ['animal-store-proxy', ['--types', '', '--lib', 'es2024,dom']],
  ['animal-store-contract-tests', ['--types', 'node', '--typeRoots', nodeTypes, '--lib', 'es2024']],
] as const)('a program that uses %s compiles, and a wrong use does not', async ([name, types]) => {
  const cwd = join(projects, name);
  await cp(join(root, 'tools/testing/types', `${name}.ts`), join(cwd, 'types.mts'));
  const checks = ['--noEmit', '--module', 'nodenext', '--strict', '--skipLibCheck', 'false', 'types.mts'];
  const compiled = run(join(root, 'node_modules/.bin/tsc'), [...types, ...checks], cwd);
  expect(await compiled.catch(({ stdout }) => stdout)).toBe('');
});

test('the mock starts the proxy that is installed next to it', async () => {
  const cwd = join(projects, 'pages');
  const script = `
    const { startMock } = require('animal-store-mock');
    startMock({ port: 0, profile: 'empty', log: 'silent', checkedProxy: true }).then(async (mock) => {
      const headers = { Authorization: 'Bearer test-key' };
      console.log(await (await fetch(mock.checkedUrl + '/pets', { headers })).text());
      await mock.close();
    })`;
  expect(await run('node', ['--eval', script], cwd)).toBe('[]\n');
  const call = ['node', 'node_modules/animal-store-mock/bin.js'] as const;
  await start('pages', ['--port', '0'], /\nchecked proxy listening on http/, call);
});
