import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
  request as sendRequest,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { startMock } from '../../mock/index.ts';
import type { Behaviour, DeployedReply, DeployedRequest, Deployment } from './deployment.ts';

/** A deployment that is listening. */
export interface RunningDeployment {
  /** Its base URL. */
  readonly url: string;
  close(): Promise<void>;
}

/** What concerns one connection, and what this server writes by itself. */
const OWN_HEADERS = /^(connection|keep-alive|transfer-encoding|content-length|date)$/i;

/** Starts a deployment on a free port: its behaviour before a mock of its own. */
export async function startDeployment({
  options,
  createBehaviour = () => (request, asMock) => asMock(request),
  basePath = '/v1',
  prepare,
}: Deployment): Promise<RunningDeployment> {
  const mock = await startMock({ ...options, port: 0, log: 'silent' });
  const agent = new Agent({ keepAlive: true });
  const behave = createBehaviour();
  const server = createServer((request, response) => {
    answer(request, response, behave, basePath.replace(/\/$/, ''), (asked) =>
      askMock(asked, mock.url, agent),
    ).catch(() => response.destroy());
  });
  prepare?.(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${basePath}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      agent.destroy();
      await mock.close();
    },
  };
}

async function answer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  behave: Behaviour,
  basePath: string,
  asMock: Parameters<Behaviour>[1],
): Promise<void> {
  const reply = await behave(await toRequest(incoming, basePath), asMock);
  if (reply === 'drop') {
    outgoing.destroy();
    return;
  }
  outgoing.writeHead(reply.status, reply.headers as OutgoingHttpHeaders).end(reply.body);
}

async function toRequest(incoming: IncomingMessage, basePath: string): Promise<DeployedRequest> {
  const [path = '', ...query] = (incoming.url ?? '/').split('?');
  return {
    method: incoming.method ?? 'GET',
    path: path.startsWith(basePath) ? path.slice(basePath.length) : path,
    query: new URLSearchParams(query.join('?')),
    headers: incoming.headers as Record<string, string>,
    body: await text(incoming),
  };
}

async function askMock(
  { method, path, query, headers, body }: DeployedRequest,
  url: string,
  agent: Agent,
): Promise<DeployedReply> {
  const { hostname, port, pathname } = new URL(url);
  const search = query.size === 0 ? '' : `?${query}`;
  const sent = Object.entries(headers).filter(([name]) => !OWN_HEADERS.test(name));
  const hasBody = method !== 'GET' && headers['content-length'] !== undefined;
  const outgoing = sendRequest({
    hostname,
    port,
    method,
    path: `${pathname}${path}${search}`,
    headers: {
      ...Object.fromEntries(sent),
      ...(hasBody ? { 'content-length': Buffer.byteLength(body) } : {}),
    },
    agent,
  });
  outgoing.end(hasBody ? body : undefined);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  const received = Object.entries(response.headers).filter(([name]) => !OWN_HEADERS.test(name));
  return {
    status: response.statusCode ?? 500,
    headers: Object.fromEntries(received) as Record<string, string>,
    body: await buffer(response),
  };
}
