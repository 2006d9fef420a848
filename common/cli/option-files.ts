import { X509Certificate } from 'node:crypto';
import { accessSync, constants, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Trust, toTlsOptions } from '../http/connection.ts';
import { printTrust } from '../text/print-curl.ts';
import { UsageError } from './usage-error.ts';

async function readCertificates(file: string, option: string): Promise<string> {
  const text = await readOptionFile(file, option);
  try {
    new X509Certificate(text);
  } catch {
    throw new UsageError(`${option}: ${file} holds no certificate in PEM`);
  }
  return text;
}

/**
 * Reads the files of certificates and keys.
 * @param files with paths instead of PEM. @param nameOf names an option in a message.
 * @throws UsageError for a file that cannot be used.
 */
export async function readTrust(files: Trust, nameOf: (name: string) => string) {
  const { ca, clientCert, clientKey } = files;
  const trust: Trust = {
    ...files,
    ca: ca && (await readCertificates(ca, nameOf('ca'))),
    clientCert: clientCert && (await readCertificates(clientCert, nameOf('clientCert'))),
    clientKey: clientKey && (await readOptionFile(clientKey, nameOf('clientKey'))),
  };
  try {
    toTlsOptions(trust);
  } catch (error) {
    const names = `${nameOf('clientCert')} and ${nameOf('clientKey')}`;
    throw new UsageError(`${names} cannot be used: ${(error as Error).message}`);
  }
  return { ...trust, curlOptions: printTrust(files) };
}

export async function readOptionFile(file: string, option: string): Promise<string> {
  return readFile(file, 'utf8').catch((error) => fail(`${option}: ${file} could not be read`, error));
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
  // Node's message repeats the path, of a folder too, which may end in the middle of a key.
  throw new UsageError(`${failure}: ${(error as Error).message.replace(/, \w+ '.*'$/s, '')}`);
}
