import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import { expect, test } from 'vitest';
import { describeWrongHost } from './describe-wrong-host.ts';

const twelve = Array.from({ length: 12 }, (_, index) => `DNS:host-${index}.example`);

test.for<[hosts: string | undefined, shown: string]>([
  ['DNS:*.example, URI:urn:a, IP Address:192.0.2.3', 'has *.example, 192.0.2.3.'],
  [twelve.join(', '), 'host-9.example and 2 more.'],
  [undefined, 'has no host.'],
])('of a certificate with %s the message has the hosts', ([subjectaltname, shown]) => {
  const certificate = { subject: { CN: 'store' }, subjectaltname } as PeerCertificate;
  const error = checkServerIdentity('192.0.2.2', certificate) as NodeJS.ErrnoException;
  const message = describeWrongHost(error);
  expect(message).toContain('its certificate is not for 192.0.2.2: its subjectAltName has ');
  expect(message).toContain(shown);
});
