import { X509Certificate } from 'node:crypto';
import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { readBoundedFile } from './read-bounded-file.ts';
import { UsageError } from './usage-error.ts';

/**
 * Reads certificates, in PEM, from the file that an option names.
 * @throws UsageError when the file cannot be read or has no certificate.
 */
export async function readCertificates(file: string, option = '--ca'): Promise<string> {
  const text = await readOptionFile(file, option);
  try {
    new X509Certificate(text);
  } catch {
    throw new UsageError(`${option}: ${file} holds no certificate in PEM`);
  }
  return text;
}

/** Reads the text of the file that an option names. @throws UsageError when it cannot be read. */
export async function readOptionFile(file: string, option: string): Promise<string> {
  return String(
    await readBoundedFile(file).catch((error) => fail(`${option}: ${file} could not be read`, error)),
  );
}

/**
 * Checks that the file that an option names can be written, and leaves it as it is: better known before a run than after.
 * @throws UsageError when it cannot.
 */
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
  // Without the path, which is named already: that of the folder may end in the middle of a key.
  throw new UsageError(`${failure}: ${(error as Error).message.replace(/, \w+ '.*'$/s, '')}`);
}
