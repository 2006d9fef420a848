import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { json, text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { startTestMock } from '../../tools/testing/start-test-mock.ts';
import { connectMock } from '../index.ts';

const certificates = join(import.meta.dirname, '../../tools/testing/certificates');
const tlsCert = join(certificates, 'localhost.pem');
const tlsKey = join(certificates, 'localhost-key.pem');
const ca = readFileSync(join(certificates, 'ca.pem'));

async function ask(url: string, headers: OutgoingHttpHeaders = {}, method = 'GET') {
  const own = { Authorization: 'Bearer test-key', ...headers };
  const asked = request(url, { ca, method, headers: own, agent: false }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return response;
}

test('the mock and its checked proxy serve HTTPS, with faults and violations', async () => {
  const mock = await startTestMock({ tlsCert, tlsKey, checkedProxy: true });
  const { url, checkedUrl = '' } = mock;
  expect([url, checkedUrl]).toEqual([expect.stringMatching(/^https:/), expect.stringMatching(/^https:/)]);
  expect(await json(await ask(`${url}/pets?limit=1`))).toHaveLength(1);
  expect((await ask(`${checkedUrl}/pets?limit=0`)).statusCode).toBe(400);
  expect(mock.violations()).toMatchObject([{ rule: 'minimum' }]);
  mock.faults.add({ drop: true, times: 1 });
  await expect(ask(`${url}/pets`)).rejects.toThrow('socket hang up');
  mock.faults.add({ after: 'drop', times: 1 });
  await expect(ask(`${url}/pets`)).rejects.toThrow('socket hang up');
  mock.faults.add({ truncate: true });
  const cut = await ask(`${url}/pets`);
  expect(cut.statusCode).toBe(200);
  await expect(text(cut)).rejects.toThrow('aborted');
  await expect(connectMock(url).reset()).rejects.toThrow('NODE_EXTRA_CA_CERTS');
  const mismatched = startTestMock({ tlsCert, tlsKey: tlsCert });
  await expect(mismatched).rejects.toThrow('--tls-cert and --tls-key cannot be used');
  await expect(startTestMock({ tlsCert })).rejects.toThrow('--tls-cert and --tls-key require each other');
});

test('a page of a named origin may send cookies and read the headers, and a page of another may not', async () => {
  const Origin = 'http://app.test:5173';
  const { url } = await startTestMock({ tlsCert, tlsKey, corsOrigins: [Origin] });
  const preflight = { Origin, 'Access-Control-Request-Method': 'POST' };
  const answers = [await ask(`${url}/pets`, { Origin }), await ask(`${url}/pets`, preflight, 'OPTIONS')];
  // With cookies, a browser does not take * for every header.
  expect(answers[0]?.headers['access-control-expose-headers']).toMatch(/\bLocation, Retry-After\b/);
  for (const { headers } of answers)
    expect(headers).toMatchObject({
      'access-control-allow-origin': Origin,
      'access-control-allow-credentials': 'true',
      vary: expect.stringContaining('Origin'),
    });
  const { headers } = await ask(`${url}/pets`, { Origin: 'http://other.test' });
  expect(headers['access-control-allow-origin']).toBe('*');
  expect(headers).not.toHaveProperty('access-control-allow-credentials');
});
