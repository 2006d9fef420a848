import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createFolder } from '../../tools/testing/create-folder.ts';
import { findAuthority } from './read-server-tls.ts';

const certificates = join(import.meta.dirname, '../../testing/certificates');
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
