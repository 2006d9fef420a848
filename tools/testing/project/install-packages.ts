import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder with a user's project for each package, which has the name of the package, and `pages` with all of them. */
    projects: string;
  }
}

export const root = join(import.meta.dirname, '../../..');

export const packageNames = [
  'animal-store-mock',
  'animal-store-proxy',
  'animal-store-contract-tests',
] as const;

// The packages run on the Node that the PATH has first; `npm run check:nodes` puts others there.
// As at a developer's desk: in CI no address of a console is printed.
export const env = { ...process.env, CI: '', GITHUB_STEP_SUMMARY: '', npm_config_loglevel: 'error' };

export const flags = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'];

export const run = async (command: string, args: readonly string[], cwd: string) =>
  (await promisify(execFile)(command, args, { cwd, env })).stdout;

/** Installs the tarball of a package in a folder next to the tarballs. */
export async function install(cwd: string, name: string): Promise<void> {
  await mkdir(cwd, { recursive: true });
  await run('npm', ['install', ...flags, `../${name}-0.1.0.tgz`], cwd);
}

/**
 * Packs all packages and installs each as a user would, once for all tests of packages.
 *
 * @returns what removes the folder again.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const projects = await mkdtemp(join(tmpdir(), 'animal-store-users-'));
  await run('npm', ['pack', '--workspaces', '--pack-destination', projects], root);
  await Promise.all(packageNames.map((name) => install(join(projects, name), name)));
  await createPagesProject(projects);
  project.provide('projects', projects);
  return () => rm(projects, { recursive: true });
}

/** Puts all packages, Vitest, jsdom and MSW into one project, for the commands of the pages. */
async function createPagesProject(projects: string): Promise<void> {
  const modules = join(projects, 'pages/node_modules');
  for (const name of packageNames)
    await cp(join(projects, name, 'node_modules'), modules, { recursive: true, verbatimSymlinks: true });
  for (const name of ['vitest', 'jsdom', 'msw'])
    await symlink(join(root, 'node_modules', name), join(modules, name));
  await symlink(join(root, 'node_modules/vitest/vitest.mjs'), join(modules, '.bin/vitest'));
}
