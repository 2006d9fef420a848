import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { expectWritable, readCertificates } from './option-files.ts';

const certificate = join(import.meta.dirname, 'testing/certificates/ca.pem');

test('certificates are read as they are', () => {
  expect(readCertificates(certificate)).toMatch(/^-----BEGIN CERTIFICATE-----\n/);
});

test.for([
  ['/nowhere.pem', '--ca: /nowhere.pem could not be read: ENOENT'],
  [import.meta.filename, 'holds no certificate in PEM'],
] as const)('the certificates of %s are refused', ([file, message]) => {
  expect(() => readCertificates(file)).toThrow(message);
});

test('a file that is there, or can be made, can be written', () => {
  const folder = mkdtempSync(join(tmpdir(), 'option-files-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'old.json'), 'old');
  for (const name of ['old.json', 'new.json']) expectWritable(join(folder, name), '--report');
});

test.for([
  ['/nowhere/report.json', '--report: /nowhere/report.json could not be written: ENOENT'],
  [tmpdir(), 'could not be written: it is a folder'],
] as const)('%s cannot be written', ([file, message]) => {
  expect(() => expectWritable(file, '--report')).toThrow(message);
});
