import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { loadContract } from '../../../common/load-contract.ts';
import { Keys } from '../../../common/text/redact.ts';
import { createSendRequest } from '../../../contract-tests/client/send-request.ts';
import { createTarget } from '../../../contract-tests/testing/run-suite.ts';
import { loadCheck } from '../../../proxy/load-check.ts';
import { startProxyBefore, startTestProxy } from '../../../proxy/testing/start-test-proxy.ts';
import { answerJson, startRawUpstream } from '../../../proxy/testing/start-upstream.ts';
import { open } from '../exchange-raw.ts';
import { startTestMock } from '../start-test-mock.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const PIECES = 200_000;
const pieces = '1\r\nx\r\n'.repeat(PIECES);
const headers = 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';

/** Sends a request whose body does not end. */
const send = (url: string, line: string) =>
  open(url, `${line} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer test-key\r\n${headers}${pieces}`);

/** Starts an upstream whose response does not end. */
const startUpstream = () =>
  startRawUpstream((socket) => void socket.write(`HTTP/1.1 200 OK\r\n${headers}${pieces}`));

/** Lists the connections on which messages are received from now on, as Node reports them. */
function watchSockets(): readonly Socket[] {
  const sockets: Socket[] = [];
  const watch = (channel: string, kind: 'request' | 'response') => {
    const add = (event: unknown) =>
      void sockets.push((event as Record<typeof kind, IncomingMessage>)[kind].socket);
    subscribe(channel, add);
    onTestFinished(() => void unsubscribe(channel, add));
  };
  watch('http.server.request.start', 'request');
  watch('http.client.response.finish', 'response');
  return sockets;
}

const post = 'POST /v1/pets';

/** Starts what reads a body, by its name, and returns what sends the body. */
const readers: Readonly<Record<string, () => Promise<() => unknown>>> = {
  mock: async () => {
    const { url } = await startTestMock();
    return () => send(url, post);
  },
  'control API': async () => {
    const { url } = await startTestMock();
    return () => send(url, 'PUT /__admin/animals');
  },
  'proxy, from a client': async () => {
    const { url } = await startProxyBefore(answerJson());
    return () => send(url, post);
  },
  'proxy, from the upstream': async () => {
    const { url } = await startTestProxy(await startUpstream());
    return () => open(url, 'GET /v1/pets HTTP/1.1\r\nHost: localhost\r\n\r\n');
  },
  suite: async () => {
    const base = await startUpstream();
    const sendRequest = createSendRequest(createTarget({ baseUrl: base }));
    return () => void sendRequest({ method: 'GET', base, path: '/pets', headers: {}, body: undefined });
  },
};

test('a body in chunks of one byte is kept without an object for each byte', async () => {
  const found: string[] = [];
  // startTestProxy loads it too: Prism's modules take some megabytes, which the first reader would seem to keep.
  await loadCheck(loadContract(), new Keys());
  // All of them keep their bodies until the end, so that none is released while the next one is measured.
  for (const [name, start] of Object.entries(readers)) {
    const use = await start();
    const sockets = watchSockets();
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    await use();
    const isReceived = () => sockets.some(({ bytesRead }) => bytesRead > pieces.length);
    await expect.poll(isReceived, { timeout: 30_000 }).toBe(true);
    collectGarbage();
    const growth = (process.memoryUsage().heapUsed - before) / PIECES;
    if (growth > 20) found.push(`${name}: ${Math.round(growth)} bytes for each byte`);
  }
  expect(found).toEqual([]);
}, 60_000);
