import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import { expect, test } from 'vitest';
import { describeWrongHost } from './describe-tls-error.ts';

const twelve = Array.from({ length: 12 }, (_, index) => `DNS:host-${index}.example`);
const ten = twelve.slice(0, 10);

test.for<[hosts: string | undefined, shown: string]>([
  ['DNS:*.example, URI:urn:a, IP Address:192.0.2.3', '*.example, 192.0.2.3'],
  [ten.join(', '), ten.join(', ').replaceAll('DNS:', '')],
  [twelve.join(', '), `${ten.join(', ').replaceAll('DNS:', '')} and 2 more`],
  [undefined, 'no host'],
])('of a certificate with %s the message has the hosts', ([subjectaltname, shown]) => {
  const certificate = { subject: { CN: 'store' }, subjectaltname } as PeerCertificate;
  const error = checkServerIdentity('192.0.2.2', certificate) as NodeJS.ErrnoException;
  const message = describeWrongHost(error);
  const advice = 'Use one of the hosts of the certificate, or add the host to the certificate';
  expect(message).toBe(`its certificate is not for 192.0.2.2: its subjectAltName has ${shown}. ${advice}`);
});

test('another error of TLS is not described', () => {
  const error = Object.assign(new Error('certificate has expired'), { code: 'CERT_HAS_EXPIRED', cert: {} });
  expect(describeWrongHost(error)).toBeUndefined();
});
