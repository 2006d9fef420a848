import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startMock } from '../../mock/index.ts';
import { resolveTarget } from '../core/target.ts';
import { runSuite } from '../run.ts';
import { quickstartClauses } from './quickstart.ts';

async function verify(origin: string): Promise<string[]> {
  const target = resolveTarget({ baseUrl: `${origin}/v1`, apiKey: 'test-key', quickstart: origin });
  const { outcomes } = await runSuite(target, { only: quickstartClauses.map(({ id }) => id) });
  return outcomes.map(({ clause, verdict }) => `${clause.id} ${verdict}`);
}

test('the mock passes', async () => {
  const mock = await startMock({ port: 0, log: 'silent' });
  onTestFinished(mock.close);
  expect(await verify(new URL(mock.url).origin)).toEqual([
    'quickstart/success passed',
    'quickstart/missing-key passed',
    'quickstart/invalid passed',
  ]);
});

test.for([
  '{"id":1,"message":"x","status":"queued","createdAt":"2026-01-01T00:00:00Z"}',
  '{"id":"1","message":"x","status":"queued","createdAt":"yesterday"}',
  '{"id":"1","message":"x","status":"queued"}',
  'queued',
])('who answers %s to everything fails', async (body) => {
  const server = createServer(
    (request, response) => void request.resume().on('end', () => response.end(body)),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  expect(await verify(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)).toEqual([
    'quickstart/success failed',
    'quickstart/missing-key failed',
    'quickstart/invalid failed',
  ]);
});
