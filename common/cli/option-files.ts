import { accessSync, closeSync, constants, openSync, realpathSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { UsageError } from './usage-error.ts';

/** Reads the file of an option, or of an argument, which has no name that its user writes. @throws UsageError if it cannot be read */
export async function readOptionFile(file: string, option?: string): Promise<string> {
  const place = option === undefined ? '' : `${option}: `;
  const text = await readFile(file, 'utf8').catch((error) =>
    fail(`${place}${file} could not be read`, error),
  );
  // Editors on Windows write a byte order mark.
  return text.replace(/^\uFEFF/, '');
}

/** Checks that the file of an option can be written, without changing it. @throws UsageError if it cannot */
export function expectWritable(file: string, option: string): void {
  expectPath(file, option);
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    accessSync(stats === undefined ? dirname(file) : file, constants.W_OK);
    if (stats?.isDirectory()) throw new Error('it is a folder');
    // Without a reader, a write to it would never end.
    if (stats?.isFIFO()) closeSync(openSync(file, constants.O_WRONLY | constants.O_NONBLOCK));
  } catch (error) {
    fail(`${option}: ${file} could not be written`, error);
  }
}

/** @throws UsageError for `-`, which many programs take for stdin or stdout */
export function expectPath(file: string, option: string): void {
  if (file === '-') throw new UsageError(`${option}: - is not the path of a file. Name a file.`);
}

/** Files of a command, by the option or the word that names each. */
type NamedFiles = Readonly<Record<string, string | undefined>>;

/** @throws UsageError if two names are for the same file, of which one would replace the other */
export function expectOtherFiles(files: NamedFiles): void {
  const byPath = new Map<string, string>();
  for (const [name, file] of Object.entries(files)) {
    // A device, such as /dev/null, replaces nothing.
    if (file === undefined || isNoFile(file)) continue;
    const path = toRealPath(file);
    const first = byPath.get(path);
    if (first !== undefined)
      throw new UsageError(`${first} and ${name} name the same file: ${file}. Give them two files.`);
    byPath.set(path, name);
  }
}

/** Returns whether a path is that of something else than a file, such as a folder or a pipe. */
export function isNoFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === false;
  } catch {
    return false;
  }
}

/** Returns whether two paths name the same file, which need not exist. */
export function isSameFile(one: string, other: string): boolean {
  return toRealPath(one) === toRealPath(other);
}

/** Returns the path of a file without symbolic links; the file or its folder need not exist. */
function toRealPath(file: string): string {
  const path = resolve(file);
  return findRealPath(path) ?? join(findRealPath(dirname(path)) ?? dirname(path), basename(path));
}

function findRealPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function fail(failure: string, error: unknown): never {
  throw new UsageError(`${failure}: ${describeFileError(error)}`);
}

/** Returns why a file could not be read or written, in words. */
export function describeFileError(error: unknown): string {
  // Node's message has a code, and repeats the path, of a folder too, which may end in the middle of a key.
  return (error as Error).message.replace(/^E[A-Z0-9]+: (.*?), \w+(?: '.*')?$/s, '$1');
}
