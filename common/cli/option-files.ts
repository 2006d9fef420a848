import { accessSync, constants, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { UsageError } from './usage-error.ts';

export async function readOptionFile(file: string, option: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error) =>
    fail(`${option}: ${file} could not be read`, error),
  );
  // Editors on Windows write a byte order mark.
  return text.replace(/^\uFEFF/, '');
}

/** Checks that the file of an option can be written, without changing it. @throws UsageError if it cannot */
export function expectWritable(file: string, option: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  try {
    accessSync(stats === undefined ? dirname(file) : file, constants.W_OK);
    if (stats?.isDirectory()) throw new Error('it is a folder');
  } catch (error) {
    fail(`${option}: ${file} could not be written`, error);
  }
}

function fail(failure: string, error: unknown): never {
  throw new UsageError(`${failure}: ${describeFileError(error)}`);
}

/** Returns why a file could not be read or written. */
export function describeFileError(error: unknown): string {
  // Node's message repeats the path, of a folder too, which may end in the middle of a key.
  return (error as Error).message.replace(/, \w+ '.*'$/s, '');
}
