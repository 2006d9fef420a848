import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { UsageError } from '../../common/cli/usage-error.ts';
import { createFolder } from '../../tools/testing/create-folder.ts';
import { findAuthority, readServerTls } from './read-server-tls.ts';

const certificates = join(import.meta.dirname, '../../tools/testing/certificates');
const certificate = join(certificates, 'localhost.pem');

/** Sets the home folder and CAROOT, and puts the authority of mkcert into a folder. @returns its file */
function keepAuthority(folder: string, name = 'ca.pem'): string {
  const home = createFolder();
  vi.stubEnv('HOME', home).stubEnv('USERPROFILE', home).stubEnv('CAROOT', undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  mkdirSync(join(home, folder), { recursive: true });
  const file = join(home, folder, 'rootCA.pem');
  copyFileSync(join(certificates, name), file);
  return file;
}

test.for(['.local/share/mkcert', 'Library/Application Support/mkcert', 'AppData/Local/mkcert'])(
  'the authority of mkcert is found in %s under the home folder',
  (folder) => {
    const file = keepAuthority(folder);
    expect(findAuthority(certificate)).toBe(file);
  },
);

test('without the authority that issued it, a certificate is trusted itself', () => {
  keepAuthority('elsewhere');
  expect(findAuthority(certificate)).toBe(certificate);
  keepAuthority('.local/share/mkcert', 'address.pem');
  expect(findAuthority(certificate)).toBe(certificate);
});

test('a server has its certificate and its key, or no TLS at all', async () => {
  const key = join(certificates, 'localhost-key.pem');
  expect(await readServerTls(undefined, undefined)).toBeUndefined();
  expect(await readServerTls(certificate, key)).toEqual({
    cert: readFileSync(certificate, 'utf8'),
    key: readFileSync(key, 'utf8'),
  });
  const both = new UsageError('--tls-cert and --tls-key require each other');
  await expect(readServerTls(certificate, undefined)).rejects.toThrow(both);
  await expect(readServerTls(undefined, key)).rejects.toThrow(both);
  const none = join(createFolder(), 'none.pem');
  const reason = 'could not be read: no such file or directory';
  await expect(readServerTls(none, key)).rejects.toThrow(new UsageError(`--tls-cert: ${none} ${reason}`));
  await expect(readServerTls(certificate, none)).rejects.toThrow(
    new UsageError(`--tls-key: ${none} ${reason}`),
  );
  await expect(readServerTls(key, key)).rejects.toThrow(
    /^--tls-cert and --tls-key cannot be used: error:.+$/,
  );
});
