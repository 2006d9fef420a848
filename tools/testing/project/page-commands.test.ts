import { globSync, readFileSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { inject, test } from 'vitest';
import { startMock } from '../../../mock/index.ts';
import { root } from './install-packages.ts';
import { runPage } from './run-page.ts';
import { projects } from './user-projects.ts';

/** The pages that a new user meets. */
const firstPages = [
  'docs/guides/verify-staging.md',
  'docs/guides/verify-production.md',
  'docs/guides/install.md',
  'docs/guides/frontend.md',
  'mock/README.md',
  'proxy/README.md',
  'contract-tests/README.md',
  'README.md',
];

// The longest pages are the last guides: they begin first.
const allPages = globSync(
  '{README.md,docs/{guides,reference}/*.md,{mock,proxy,contract-tests}/README.md,skills/*/SKILL.md}',
  { cwd: root },
).toReversed();

const pages = inject('isWhole') ? allPages : firstPages;

const modules = join(projects, 'pages/node_modules');

test.concurrent.for(pages)(
  'the commands of %s print what it says',
  { timeout: 120_000 },
  async (file, { expect }) => {
    const cwd = join(projects, 'pages', file);
    await mkdir(join(cwd, 'node_modules'), { recursive: true });
    // A page may name files of the package by their path.
    const suite = 'node_modules/animal-store-contract-tests';
    await symlink(join(projects, 'pages', suite), join(cwd, suite));
    await using staging = await startMock({ port: 0, log: 'silent' });
    const page = readFileSync(join(root, file), 'utf8');
    expect(await runPage(page, cwd, join(modules, '.bin'), staging.url)).toEqual([]);
  },
);
