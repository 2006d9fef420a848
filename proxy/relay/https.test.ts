import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startTestProxy } from '../testing/start-test-proxy.ts';

/** Made for these tests alone; the authority's own key is kept nowhere. */
function readCertificate(name: string): string {
  return readFileSync(join(import.meta.dirname, '../../common/testing/certificates', name), 'utf8');
}

async function startSecureUpstream(): Promise<string> {
  const certificate = { cert: readCertificate('localhost.pem'), key: readCertificate('localhost-key.pem') };
  const server = createServer(certificate, (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('[]');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `https://localhost:${(server.address() as AddressInfo).port}/v1`;
}

test.for<[string, { ca?: string; insecure?: boolean }]>([
  ['a certificate of an authority that is given', { ca: readCertificate('ca.pem') }],
  ['any certificate, if need be', { insecure: true }],
])('an upstream of https is spoken to with %s', async ([, options]) => {
  const { url, exchanges } = await startTestProxy(await startSecureUpstream(), options);
  const answer = await fetch(`${url}/pets`, { headers: { Authorization: 'Bearer x' } });
  expect([answer.status, await answer.text()]).toEqual([200, '[]']);
  expect(exchanges).toMatchObject([{ operationId: 'listPets', violations: [] }]);
});

test('a certificate that nobody vouches for is a 502 that says so', async () => {
  const { url } = await startTestProxy(await startSecureUpstream());
  const answer = await fetch(`${url}/pets`);
  expect([answer.status, await answer.json()]).toEqual([
    502,
    { code: 'upstream_failed', message: expect.stringMatching(/certificate.*--ca.*--insecure/), status: 502 },
  ]);
});
