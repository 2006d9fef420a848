import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** A message as it was received. */
export interface RawMessage {
  /** Names and values as they were on the wire. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/** Starts an upstream for the test that is running; `url` is its base URL, under `/v1`. */
export async function startUpstream(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

/** Sends a request with just these headers and Host, and returns all of the answer. */
export async function exchangeRaw(
  url: string,
  method: string,
  headers: readonly string[],
  body: Buffer,
): Promise<RawMessage & { status: number }> {
  const { host, origin, pathname } = new URL(url);
  const outgoing = httpRequest(origin, {
    method,
    path: pathname,
    headers: ['Host', host, ...headers],
    agent: false,
  });
  outgoing.end(body);
  const [answer] = await once(outgoing, 'response');
  return { status: answer.statusCode, headers: answer.rawHeaders, body: await buffer(answer) };
}
