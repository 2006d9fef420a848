import { execFile, spawn } from 'node:child_process';
import { on } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, onTestFinished } from 'vitest';

export const root = join(import.meta.dirname, '../../..');

// The packages run on the Node that the PATH has first; `npm run check:nodes` puts others there.
const env = { ...process.env, npm_config_loglevel: 'error' };

/** A folder with a user's project for each package, which has the name of the package. */
export const projects = await mkdtemp(join(tmpdir(), 'animal-store-users-'));
afterAll(() => rm(projects, { recursive: true }));

/** Packs all packages, and installs each in a project of the same name. */
export async function packAll(names: readonly string[]): Promise<void> {
  await run('npm', ['pack', '--workspaces', '--pack-destination', projects], root);
  await Promise.all(names.map((name) => install(name, name)));
}

export const flags = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'];

export async function install(project: string, name: string): Promise<void> {
  const cwd = join(projects, project);
  await mkdir(cwd, { recursive: true });
  await run('npm', ['install', ...flags, `../${name}-0.1.0.tgz`], cwd);
}

export const run = async (command: string, args: readonly string[], cwd: string) =>
  (await promisify(execFile)(command, args, { cwd, env })).stdout;

export const readJson = (...path: readonly string[]) => JSON.parse(readFileSync(join(...path), 'utf8'));

/** How a command is called: a program, and the words between it and the arguments. */
type Call = readonly [program: string, ...words: string[]];

/** Starts the command of a package, without npx unless given, and waits until it has printed what matches. */
export async function start(
  project: string,
  args: readonly string[],
  wanted: RegExp,
  [command, ...before]: Call = ['node', `node_modules/${project}/bin.js`],
): Promise<RegExpExecArray> {
  const child = spawn(command, [...before, ...args], { cwd: join(projects, project), env, detached: true });
  onTestFinished(() => {
    if (child.exitCode === null) process.kill(-(child.pid ?? 0), 'SIGKILL');
  });
  let printed = '';
  child.stderr.on('data', (chunk) => child.stdout.emit('data', chunk));
  for await (const [chunk] of on(child.stdout, 'data', { close: ['end'] })) {
    printed += chunk;
    const found = wanted.exec(printed);
    if (found !== null) return found;
  }
  throw new Error(`${project} printed ${printed}`);
}

export const startMock = (wanted: RegExp, command?: Call) =>
  start('animal-store-mock', ['--port', '0'], wanted, command);
