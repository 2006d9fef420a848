import { once } from 'node:events';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Server, startServer } from '../bench/start-server.ts';
import { malformedRequestTrials } from './malformed-requests.ts';
import { ordinaryTrials } from './ordinary-requests.ts';
import type { ServerState } from './report-state.ts';
import { runTrials } from './run-trials.ts';

/** Number of requests that each server gets. */
const COUNT = 150;

/** Maximum number of descriptors and requests that stay open at the end. */
const SPARE_SOCKETS = 4;

const preload = ['--import', join(import.meta.dirname, 'report-state.ts')];
const last = ['--port', '0', '--log', 'silent'];

async function ask<T extends object>({ child, exited }: Server, question: 'state' | 'descriptors') {
  const answered = once(child, 'message');
  child.send(question);
  const [answer] = await Promise.race([answered, exited]);
  if (typeof answer !== 'object' || answer === null) throw new Error(`A server ended with ${answer}.`);
  return answer as T;
}

test('random requests do the mock and the proxy no harm', async () => {
  await using mock = await startServer([...preload, 'mock/bin.js', ...last], 'inherit', 'ipc');
  await using proxy = await startServer([...preload, 'proxy/bin.js', mock.url, ...last], 'inherit', 'ipc');
  const servers = [mock, proxy];
  const atStart = await Promise.all(servers.map((server) => ask<ServerState>(server, 'state')));
  const trialsOfProxy = fc.oneof(ordinaryTrials, malformedRequestTrials('proxy'));
  const problems = await Promise.all([
    runTrials(mock.url, malformedRequestTrials('mock'), COUNT),
    runTrials(proxy.url, trialsOfProxy, COUNT),
  ]);
  expect(problems.flat()).toEqual([]);
  for (const [index, server] of servers.entries()) {
    const { descriptors = 0, exchanges = 0 } = atStart[index] ?? {};
    const isClosed = async () => (await ask<ServerState>(server, 'descriptors')).descriptors;
    await expect.poll(isClosed, { interval: 500 }).toBeLessThanOrEqual(descriptors + SPARE_SOCKETS);
    const kept = await ask<ServerState>(server, 'state');
    expect(kept.exchanges).toBeLessThanOrEqual(exchanges + SPARE_SOCKETS);
  }
  expect([await proxy.stop(), await mock.stop()]).toEqual([0, 0]);
}, 600_000);
