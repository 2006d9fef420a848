import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { projectVersion } from './project-version.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder with a user's project for each package, which has the name of the package, and `pages` with all of them. */
    projects: string;
    /** Whether every page and every environment is tried, and not those that a new user meets first. */
    isWhole: boolean;
  }
}

export const root = join(import.meta.dirname, '../../..');

const packageNames = ['animal-store-mock', 'animal-store-proxy', 'animal-store-contract-tests'] as const;

// The packages run on the Node that the PATH has first; check-nodes.ts puts others there.
// As at a developer's desk: in CI no address of a console is printed.
export const env = { ...process.env, CI: '', GITHUB_STEP_SUMMARY: '', npm_config_loglevel: 'error' };

export const flags = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'];

export const run = async (command: string, args: readonly string[], cwd: string) =>
  (await promisify(execFile)(command, args, { cwd, env })).stdout;

/**
 * Packs all packages and installs them as a user would, once for all tests of packages.
 *
 * @returns what removes the folder again.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const projects = await mkdtemp(join(tmpdir(), 'animal-store-users-'));
  const printed = await run('npm', ['run', '--silent', 'pack'], root);
  const [copy = ''] = /^cp .*$/m.exec(printed) ?? [];
  await run('bash', ['-c', copy], projects);
  await createPagesProject(join(projects, 'pages'));
  await Promise.all(packageNames.map((name) => createProjectOfOne(projects, name)));
  project.provide('projects', projects);
  return () => rm(projects, { recursive: true });
}

/** Puts all packages, and what their users have too, into one project, for the commands of the pages. */
async function createPagesProject(cwd: string): Promise<void> {
  await mkdir(cwd);
  const tarballs = packageNames.map((name) => `../${name}-${projectVersion}.tgz`);
  await run('npm', ['install', ...flags, ...tarballs], cwd);
  const modules = join(cwd, 'node_modules');
  for (const name of ['jsdom', 'msw', 'vite', 'vitest'])
    await symlink(join(root, 'node_modules', name), join(modules, name));
  await symlink(join(root, 'node_modules/vitest/vitest.mjs'), join(modules, '.bin/vitest'));
}

/** Puts an installed package alone into a project. It has no dependencies, so npm would put nothing else there. */
async function createProjectOfOne(projects: string, name: string): Promise<void> {
  const installed = join(projects, 'pages/node_modules', name);
  const modules = join(projects, name, 'node_modules');
  await cp(installed, join(modules, name), { recursive: true });
  const { bin } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
  await mkdir(join(modules, '.bin'));
  for (const [command, file] of Object.entries<string>(bin))
    await symlink(join('..', name, file), join(modules, '.bin', command));
}
