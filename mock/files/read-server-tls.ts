import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
// With named imports an older Node would fail before its version is checked.
import * as tls from 'node:tls';
import { extendEnvironment } from '../../common/cli/environment.ts';
import { readOptionFile } from '../../common/cli/option-files.ts';
import { UsageError } from '../../common/cli/usage-error.ts';
import type { ServerTls } from '../../common/tls/trust.ts';

/** Reads the files of a server's certificate and key. @throws UsageError if they cannot be used */
export async function readServerTls(cert: string | undefined, key: string | undefined) {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined)
    throw new UsageError('--tls-cert and --tls-key require each other');
  const read: ServerTls = {
    cert: await readOptionFile(cert, '--tls-cert'),
    key: await readOptionFile(key, '--tls-key'),
  };
  try {
    tls.createSecureContext({ ...read });
    return read;
  } catch (error) {
    throw new UsageError(`--tls-cert and --tls-key cannot be used: ${(error as Error).message}`);
  }
}

/** Folders where mkcert keeps its own authority, under the home folder, without `CAROOT`. */
const mkcertFolders = ['.local/share/mkcert', 'Library/Application Support/mkcert', 'AppData/Local/mkcert'];

/** Returns the whole path of the file that a client has to trust: the authority of mkcert, or the certificate itself. */
export function findAuthority(certFile: string): string {
  const certificate = new X509Certificate(readFileSync(certFile));
  const folders = [
    extendEnvironment({}).CAROOT ?? '',
    ...mkcertFolders.map((folder) => join(homedir(), folder)),
  ];
  const roots = folders.map((folder) => resolve(folder, 'rootCA.pem')).filter(existsSync);
  const isIssuer = (file: string) => certificate.checkIssued(new X509Certificate(readFileSync(file)));
  return roots.find(isIssuer) ?? resolve(certFile);
}
