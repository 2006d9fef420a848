import { X509Certificate } from 'node:crypto';
import { readOptionFile } from '../cli/option-files.ts';
import { UsageError } from '../cli/usage-error.ts';
import { printTrust } from '../text/print-curl.ts';
import { toTlsOptions } from './connection.ts';
import type { Trust } from './trust.ts';

/**
 * Reads the files of certificates and keys.
 * @param files with paths instead of PEM. @param nameOf names an option in a message.
 * @throws UsageError for a file that cannot be used.
 */
export async function readTrust(files: Trust, nameOf: (name: string) => string) {
  const { ca, clientCert, clientKey } = files;
  const names = `${nameOf('clientCert')} and ${nameOf('clientKey')}`;
  if ((clientCert === undefined) !== (clientKey === undefined))
    throw new UsageError(`${names} require each other`);
  const trust: Trust = {
    ...files,
    ca: ca && (await readCertificates(ca, nameOf('ca'))),
    clientCert: clientCert && (await readCertificates(clientCert, nameOf('clientCert'))),
    clientKey: clientKey && (await readOptionFile(clientKey, nameOf('clientKey'))),
  };
  try {
    toTlsOptions(trust);
  } catch (error) {
    const { message } = error as Error;
    // One wrong passphrase in 300 decrypts to something with a valid end, of which OpenSSL says only that it is no key.
    const isEncrypted = /ENCRYPTED/.test(trust.clientKey ?? '');
    const advice = isEncrypted && !/mismatch/.test(message) ? `. Check ${nameOf('clientPassphrase')}` : '';
    throw new UsageError(`${names} cannot be used: ${message}${advice}`);
  }
  return { ...trust, curlOptions: printTrust(files) };
}

async function readCertificates(file: string, option: string): Promise<string> {
  const text = await readOptionFile(file, option);
  try {
    new X509Certificate(text);
  } catch {
    throw new UsageError(`${option}: ${file} holds no certificate in PEM`);
  }
  return text;
}
