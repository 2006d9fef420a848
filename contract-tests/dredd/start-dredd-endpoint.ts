import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Skipped } from '../client/clause-errors.ts';
import type { RequestOptions } from '../client/client.ts';
import type { Exchange, SuiteResponse } from '../client/exchange.ts';
import { createUserAgent } from '../client/send-request.ts';
import type { Context } from '../vocabulary/context.ts';
import { TRANSACTION_ID } from './create-hooks.ts';
import { toClauseId } from './to-clause-id.ts';

/** What became of a request of Dredd. */
export interface Relayed {
  readonly exchange?: Exchange;
  /** The error of the client, if the request has no result. */
  readonly skipped?: Skipped;
  /** True if Dredd got a complete response. */
  readonly hasAnswered: boolean;
}

export interface DreddEndpoint {
  /** Base URL for Dredd. */
  readonly url: string;
  /** Key in the requests of Dredd, which the key of the target replaces. */
  readonly apiKey: string;
  /** The requests so far, by the ids of their transactions. */
  readonly relayed: ReadonlyMap<string, Relayed>;
  close(): void;
}

/**
 * Starts a server on loopback that sends each request of Dredd to the deployment, through the client of the suite, and gives
 * Dredd the response: so TLS, forward proxies, limits, traces and redaction are those of the suite, and the key stays here.
 *
 * @param onError called with an error that ends the run of Dredd
 */
export async function startDreddEndpoint(
  context: Context,
  onError: (error: Error) => void,
): Promise<DreddEndpoint> {
  const relayed = new Map<string, Relayed>();
  // Another user of this machine must not send requests with the key of the target.
  const secret = randomUUID();
  const apiKey = randomUUID();
  const prefix = `/${secret}`;
  const server = createServer((incoming, outgoing) => {
    relay(incoming, outgoing).catch((error: Error) => {
      outgoing.destroy();
      onError(error);
    });
  });
  const relay = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { url = '' } = incoming;
    const id = incoming.headers[TRANSACTION_ID.toLowerCase()];
    if (!url.startsWith(`${prefix}/`) || typeof id !== 'string') return void outgoing.destroy();
    const request = { ...(await readRequest(incoming, context, apiKey)), path: url.slice(prefix.length) };
    const { response, ...result } = await send({ ...request, clause: toClauseId(id) }, context);
    relayed.set(id, result);
    if (response === undefined || !result.hasAnswered) return void outgoing.destroy();
    outgoing.sendDate = false;
    outgoing.writeHead(response.status, withoutFraming(response.headers)).end(response.body);
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}${prefix}`, apiKey, relayed, close };
}

/** The first status that ends an exchange. Source: RFC 9110, section 15.2 */
const FIRST_FINAL = 200;

/** Sends a request of Dredd. @throws the error of a client that ends the run of Dredd */
async function send(
  request: RequestOptions,
  context: Context,
): Promise<Relayed & { readonly response?: SuiteResponse }> {
  // The exchange may keep only the beginning of a body.
  let response: SuiteResponse | undefined;
  const onResponse = (one: SuiteResponse) => {
    response = one;
  };
  try {
    const exchange = await context.send({ ...request, onResponse });
    // An incomplete body would be complete to Dredd.
    const hasAnswered = exchange.status >= FIRST_FINAL && exchange.failure === undefined;
    return { exchange, hasAnswered, ...(response && { response }) };
  } catch (error) {
    const endsRun = !(error instanceof Skipped) || context.signal.aborted;
    if (endsRun) throw error;
    return { skipped: error, hasAnswered: false };
  }
}

/** Headers of one connection, or of the framing of a body, which each side sets itself. */
const hopByHop = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

async function readRequest(incoming: IncomingMessage, { target }: Context, apiKey: string) {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString();
  const { authorization } = incoming.headers;
  const ofUser = new Set(Object.keys(target.headers).map((name) => name.toLowerCase()));
  const isOwn = (name: string) => ['authorization', TRANSACTION_ID.toLowerCase()].includes(name);
  const headers: Record<string, string> = {};
  for (const name of incoming.rawHeaders.filter((_, index) => index % 2 === 0)) {
    const key = name.toLowerCase();
    if (hopByHop.has(key) || ofUser.has(key) || isOwn(key)) continue;
    const value = String(incoming.headers[key]);
    headers[name] = key === 'user-agent' ? joinUserAgents(createUserAgent(target), value) : value;
  }
  return {
    method: incoming.method ?? 'GET',
    headers,
    body: body === '' ? undefined : body,
    // The headers have it.
    mediaType: undefined,
    ...(authorization !== `Bearer ${apiKey}` && { authorization }),
  };
}

/** Adds the product and version of another User-Agent, without its comment. Source: RFC 9110, section 10.1.5 */
function joinUserAgents(own: string, other: string): string {
  const [product = ''] = other.split(' ');
  return `${own} ${product}`;
}

/** Returns the headers of a response without those of its connection and of a content coding, which is decoded. */
function withoutFraming(headers: SuiteResponse['headers']): Readonly<Record<string, string>> {
  const isFraming = (name: string) => hopByHop.has(name) || name === 'content-encoding';
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !isFraming(name)));
}
