import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFolder } from '../../tools/testing/create-folder.ts';
import { UsageError } from '../cli/usage-error.ts';
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

/** A key of another certificate, encrypted with `right`. What `wrong` makes of it has a valid end, as of one encryption in 300. */
const ambiguous = `-----BEGIN ENCRYPTED PRIVATE KEY-----
MIH0MF8GCSqGSIb3DQEFDTBSMDEGCSqGSIb3DQEFDDAkBBCG+xhh8XWmfEnyLUEW
1lFIAgIIADAMBggqhkiG9w0CCQUAMB0GCWCGSAFlAwQBKgQQXhuyKF9b6ZoSDHKD
0JY08gSBkL1NnjIXAcovm+o3ZSzVcZeCEGfMIWYccUbGj8lG6DeFO1K8hhULPJHh
kx7XFcuyOE7yKVgowSLokYCOyN1Vbf6+p8HtsnyL4A/5q1panN9LNJfzE4YDx2EA
GKlGJk2Si+JO+ErI/vQrDMIAyKTKBVJv7yzDslVCUcjpzvFwjkUlyHm3v9y0FDYL
PD5qwXnluQ==
-----END ENCRYPTED PRIVATE KEY-----
`;

test.for([
  ['wrong', /unsupported\. Check --clientPassphrase$/],
  ['right', /key values mismatch$/],
] as const)('the passphrase "%s" of a key of another certificate: %s', async ([clientPassphrase, end]) => {
  const file = join(createFolder({ 'key.pem': ambiguous }), 'key.pem');
  await expect(readTrust({ clientCert, clientKey: file, clientPassphrase }, nameOf)).rejects.toThrow(end);
});

test('a file that cannot be read is named with its option', async () => {
  const file = join(createFolder(), 'none.pem');
  const usual = { ca: clientCert, clientCert, clientKey };
  for (const name of ['ca', 'clientCert', 'clientKey'])
    await expect(readTrust({ ...usual, [name]: file }, nameOf)).rejects.toThrow(
      new UsageError(`--${name}: ${file} could not be read: no such file or directory`),
    );
});

test.for([{ clientCert }, { clientKey }])(
  'a certificate and its key require each other: %o',
  async (files) => {
    await expect(readTrust(files, nameOf)).rejects.toThrow(
      /^--clientCert and --clientKey require each other$/,
    );
  },
);

test('a file that is no certificate in PEM is refused by the name of its option', async () => {
  for (const [name, files] of Object.entries({
    ca: { ca: clientKey },
    clientCert: { clientCert: clientKey, clientKey },
  }))
    await expect(readTrust(files, nameOf)).rejects.toThrow(
      `--${name}: ${clientKey} holds no certificate in PEM`,
    );
});
