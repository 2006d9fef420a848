import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFolder } from '../../tools/testing/create-folder.ts';
import { readTrust } from './read-trust.ts';

const certificates = join(import.meta.dirname, '../../tools/testing/certificates');
const clientCert = join(certificates, 'localhost.pem');
const clientKey = join(certificates, 'localhost-key.pem');
const nameOf = (name: string) => `--${name}`;

test('curl gets the client certificate and its key, and the authorities or none', async () => {
  const ca = join(certificates, 'ca.pem');
  const { curlOptions } = await readTrust({ ca, clientCert, clientKey }, nameOf);
  expect(curlOptions).toEqual([
    ...['--cacert', `'${ca}'`],
    ...['--cert', `'${clientCert}'`],
    ...['--key', `'${clientKey}'`],
  ]);
  const insecure = await readTrust({ ca, insecure: true }, nameOf);
  expect(insecure.curlOptions).toEqual(['-k']);
});

test('an encrypted key requires its passphrase, which the message names', async () => {
  const passphrase = 's3cr-passphrase';
  const encryption = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase } as const;
  const encrypted = createPrivateKey(readFileSync(clientKey)).export(encryption);
  const file = join(createFolder({ 'key.pem': `${encrypted}` }), 'key.pem');
  const files = { clientCert, clientKey: file };
  const trust = await readTrust({ ...files, clientPassphrase: passphrase }, nameOf);
  expect(trust).toMatchObject({ clientKey: encrypted, clientPassphrase: passphrase });
  for (const clientPassphrase of [undefined, 'wrong']) {
    const reading = readTrust({ ...files, clientPassphrase }, nameOf);
    await expect(reading).rejects.toThrow(
      /^--clientCert and --clientKey cannot be used: .*\. Check --clientPassphrase$/,
    );
  }
});
