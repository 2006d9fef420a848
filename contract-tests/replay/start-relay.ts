import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { printExactJson } from '../../common/exact-json.ts';
import type { Client, RequestOptions } from '../core/client.ts';
import { type Exchange, readJson } from '../core/exchange.ts';
import { Interrupted } from '../core/result.ts';
import { type PlannedRequest, REPLAYED } from './transaction.ts';

/** What stands between Dredd and the deployment. */
export interface Relay {
  /** Where Dredd is to send its requests, on loopback. */
  readonly endpoint: string;
  /** What came of each request, by the response that it deserves; it rejects as the client does. */
  readonly exchanges: ReadonlyMap<string, Promise<Exchange>>;
  close(): void;
}

/** Starts what carries Dredd's requests by the client of the run, within its bounds, at its rate and by its deadline. */
export async function startRelay(client: Client, planned: readonly PlannedRequest[]): Promise<Relay> {
  const exchanges = new Map<string, Promise<Exchange>>();
  const server = createServer(async (incoming, outgoing) => {
    incoming.resume();
    const plan = planned.find(({ id }) => id === incoming.headers[REPLAYED]);
    if (plan === undefined) return void outgoing.destroy();
    const sent = sendWhole(client, plan.options);
    exchanges.set(plan.id, sent);
    // Without a response Dredd gets none; whoever asks for the exchange is told why.
    await sent.then((exchange) => answer(outgoing, exchange)).catch(() => outgoing.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exchanges,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Sends a request again if a restart left it unanswered: Dredd itself cannot start again. */
function sendWhole(client: Client, options: RequestOptions): Promise<Exchange> {
  return client.send(options).catch((error) => {
    if (error instanceof Interrupted) return sendWhole(client, options);
    throw error;
  });
}

/** Answers as the deployment has, as far as Dredd judges it; a long body in short. */
function answer(outgoing: ServerResponse, exchange: Exchange): void {
  if (exchange.response === undefined) return void outgoing.destroy();
  const { status, headers, body, length } = exchange.response;
  const type = headers['content-type'];
  const json = length === undefined ? undefined : readJson(exchange);
  outgoing.writeHead(status, type === undefined ? {} : { 'Content-Type': type });
  outgoing.end(json === undefined ? body : printExactJson(json));
}
