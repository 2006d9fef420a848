import { spawn } from 'node:child_process';
import { on } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { env } from './install-packages.ts';

/** A folder with a user's project for each package, which has the name of the package. */
export const projects = inject('projects');

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
