import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { TlsOptions } from 'node:tls';
import { listen } from '../../tools/testing/listen.ts';

/** Starts an upstream of HTTP. @returns its base URL */
export const startUpstream = async (handle: RequestListener) => `${await listen(createServer(handle))}/v1`;

/** Starts an upstream that answers each connection after its first bytes. */
export const startRawUpstream = async (handle: (socket: Socket) => void) =>
  `${await listen(createTcpServer((socket) => void socket.once('data', () => handle(socket))))}/v1`;

/** Answers with this body, in JSON. */
export function answerJson(body: string | Buffer = '[]', headers: object = {}): RequestListener {
  return (request, response) => {
    request.resume();
    response.writeHead(200, { 'Content-Type': 'application/json', ...headers }).end(body);
  };
}

/** Certificates only for tests. The key of the authority is kept nowhere. */
export const certificates = join(import.meta.dirname, '../../tools/testing/certificates');

/** Starts an upstream of HTTPS, which answers with an empty list. @returns its base URL with this host */
export async function startSecureUpstream(
  host = 'localhost',
  certificate = 'localhost.pem',
  options: TlsOptions = {},
): Promise<string> {
  const [cert, key] = [certificate, 'localhost-key.pem'].map((name) =>
    readFileSync(join(certificates, name)),
  );
  const origin = await listen(createSecureServer({ cert, key, ...options }, answerJson()));
  return `${origin.replace('http://127.0.0.1', `https://${host}`)}/v1`;
}
