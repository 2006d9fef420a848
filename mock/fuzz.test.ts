import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { sendMany } from '../bench/send-many.ts';
import { startTestProxy } from '../proxy/testing/start-test-proxy.ts';
import { get } from './testing/http-case.ts';
import { send } from './testing/send.ts';
import { startTestMock } from './testing/start-test-mock.ts';

const REQUESTS = 1_500;

/** How long sockets may take to be closed: a refused client has a second to read why. */
const SETTLING = { timeout: 3_000 };

/** Watches the sockets that servers of this process have accepted; the function counts those still open at a port. */
function watchAcceptedSockets(): (port: number) => number {
  const sockets = new Map<Socket, number | undefined>();
  const onSocket = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    sockets.set(socket, socket.localPort);
    socket.once('close', () => sockets.delete(socket));
  };
  subscribe('net.server.socket', onSocket);
  onTestFinished(() => void unsubscribe('net.server.socket', onSocket));
  return (port) => [...sockets.values()].filter((other) => other === port).length;
}

test(`${REQUESTS} malformed requests leave the mock and the proxy well`, async () => {
  const countOpen = watchAcceptedSockets();
  const mock = await startTestMock();
  // The proxy keeps connections to its upstream for a while, so that it has a mock of its own.
  const proxy = await startTestProxy((await startTestMock()).url);
  const servers = [mock.url, proxy.url];
  const problems: string[] = [];
  await sendMany({
    servers,
    count: REQUESTS,
    seed: 1,
    onOutcome: ({ index, request, problem }) => {
      if (problem !== undefined) problems.push(`request ${index}, ${request.kind}: ${problem}`);
    },
  });
  expect(problems).toEqual([]);
  for (const url of servers) {
    await expect.poll(() => countOpen(Number(new URL(url).port)), SETTLING).toBe(0);
    const { status, body } = await send(url, get('/v1/pets'));
    expect([status, (body as unknown[]).length]).toEqual([200, 20]);
  }
});
