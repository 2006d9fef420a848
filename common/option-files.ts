import { X509Certificate } from 'node:crypto';
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from './usage-error.ts';

/**
 * Reads certificates, in PEM, from the file that an option names.
 * @throws UsageError when the file cannot be read or has no certificate.
 */
export function readCertificates(file: string, option = '--ca'): string {
  const text = readOptionFile(file, option);
  try {
    new X509Certificate(text);
  } catch {
    throw new UsageError(`${option}: ${file} holds no certificate in PEM`);
  }
  return text;
}

/** Reads the text of the file that an option names. @throws UsageError when it cannot be read. */
export function readOptionFile(file: string, option: string): string {
  return attempt(() => readFileSync(file, 'utf8'), `${option}: ${file} could not be read`);
}

/**
 * Checks that the file that an option names can be written, and leaves it as it is: better known before a run than after.
 * @throws UsageError when it cannot.
 */
export function expectWritable(file: string, option: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  attempt(() => {
    accessSync(stats === undefined ? dirname(file) : file, constants.W_OK);
    if (stats?.isDirectory()) throw new Error('it is a folder');
  }, `${option}: ${file} could not be written`);
}

function attempt<T>(act: () => T, failure: string): T {
  try {
    return act();
  } catch (error) {
    // Without the path, which is named already: that of the folder may end in the middle of a key.
    throw new UsageError(`${failure}: ${(error as Error).message.replace(/, \w+ '.*'$/s, '')}`);
  }
}
