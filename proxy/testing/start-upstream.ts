import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** What an upstream does with a request. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Makes a server listen for the test that is running; its base URL is under `/v1`. */
export async function listen(server: Server): Promise<string> {
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
export function startUpstream(handle: Handler): Promise<string> {
  return listen(createServer(handle));
}

/** Starts an upstream that does what it wants with each connection on which something has come. */
export function startRawUpstream(handle: (socket: Socket) => void): Promise<string> {
  return listen(createTcpServer((socket) => void socket.once('data', () => handle(socket))));
}

/** Answers with a list of this body, in JSON. */
export function answerJson(body = '[]', headers: Readonly<Record<string, string>> = {}): Handler {
  return (request, response) => {
    request.resume();
    response.writeHead(200, { 'Content-Type': 'application/json', ...headers }).end(body);
  };
}

/** Sends a request with just these headers and Host, and returns all of the answer. */
export async function exchangeRaw(url: string, method: string, headers: readonly string[], body?: Buffer) {
  const { host, origin, pathname } = new URL(url);
  const all = ['Host', host, ...headers];
  const outgoing = request(origin, { method, path: pathname, headers: all, agent: false }).end(body);
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, headers: answer.rawHeaders, body: await buffer(answer) };
}

/** The status of an answer, and the code of its Error. */
export async function readError(answer: Response): Promise<[status: number, code: string]> {
  return [answer.status, ((await answer.json()) as { code: string }).code];
}
