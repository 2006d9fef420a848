import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Makes a server listen for the running test. Its base URL is under `/v1`. */
async function listen(server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => {})));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

/** Starts an upstream of HTTP. */
export const startUpstream = (handle: RequestListener) => listen(createServer(handle));

/** Starts an upstream that answers each connection after its first bytes. */
export const startRawUpstream = (handle: (socket: Socket) => void) =>
  listen(createTcpServer((socket) => void socket.once('data', () => handle(socket))));

/** Answers with this body, in JSON. */
export function answerJson(body: string | Buffer = '[]', headers: object = {}): RequestListener {
  return (request, response) => {
    request.resume();
    response.writeHead(200, { 'Content-Type': 'application/json', ...headers }).end(body);
  };
}

/** Certificates only for tests. The key of the authority is kept nowhere. */
export const certificates = join(import.meta.dirname, '../../testing/certificates');

/** Starts an upstream of HTTPS with a certificate of `ca.pem`, which answers with an empty list. */
export async function startSecureUpstream(): Promise<string> {
  const [cert, key] = ['localhost.pem', 'localhost-key.pem'].map((name) =>
    readFileSync(join(certificates, name)),
  );
  const url = await listen(createSecureServer({ cert, key }, answerJson()));
  return url.replace('http://127.0.0.1', 'https://localhost');
}
