import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Server } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { gatherChunks } from './gather-chunks.ts';

const MANY = 200_000;

/** The most that Node reads at once, in bytes. */
const LARGEST_READ = 64 * 1024;

const bytes = `Transfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(MANY)}0\r\nX: y\r\n\r\n`;

async function listen(server: Server): Promise<number> {
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

/** Sends the chunks in a request. @returns what the server gets. */
async function upload(): Promise<IncomingMessage> {
  const server = createServer();
  const socket = connect(await listen(server), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\n${bytes}`);
  const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
  server.on('request', (incoming) => {
    gatherChunks(incoming);
    resolve(incoming);
  });
  return promise;
}

/** Sends the chunks in a response. @returns what the client gets. */
async function download(): Promise<IncomingMessage> {
  const server = createTcpServer((socket) => {
    socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\n${bytes}`));
  });
  const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
  get({ port: await listen(server), host: '127.0.0.1', agent: false }, (incoming) => {
    gatherChunks(incoming);
    resolve(incoming);
  });
  return promise;
}

test.for([
  ['a request', upload],
  ['a response', download],
] as const)('of %s of very many chunks a turn reads a little, and all of it arrives', async ([, send]) => {
  const incoming = await send();
  const { socket } = incoming;
  let [most, last, length, pieces] = [0, socket.bytesRead, 0, 0];
  const look = () => {
    most = Math.max(most, socket.bytesRead - last);
    last = socket.bytesRead;
    if (!incoming.complete) setImmediate(look);
  };
  look();
  incoming.on('data', (piece) => {
    length += piece.length;
    pieces += 1;
  });
  await once(incoming, 'end');
  expect(length).toBe(MANY);
  expect(incoming.rawTrailers).toEqual(['X', 'y']);
  expect(most).toBeLessThanOrEqual(2 * LARGEST_READ);
  expect(pieces).toBeLessThan(MANY / 1000);
});
