import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectWritable, readCertificates } from './option-files.ts';

test('certificates are read as they are, and other files are refused', () => {
  const file = join(import.meta.dirname, 'testing/certificates/ca.pem');
  expect(readCertificates(file)).toMatch(/^-----BEGIN CERTIFICATE-----\n/);
  expect(() => readCertificates('/nowhere.pem')).toThrow('--ca: /nowhere.pem could not be read: ENOENT');
  expect(() => readCertificates(import.meta.filename)).toThrow('holds no certificate in PEM');
});

test('a file that is there, or can be made, can be written; a folder cannot', () => {
  for (const file of [import.meta.filename, join(tmpdir(), 'new.json')]) expectWritable(file, '--report');
  const failure = '--report: /nowhere/x could not be written: ENOENT';
  expect(() => expectWritable('/nowhere/x', '--report')).toThrow(failure);
  expect(() => expectWritable(tmpdir(), '--report')).toThrow('could not be written: it is a folder');
});
