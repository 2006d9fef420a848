import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startMock } from '../../mock/index.ts';
import { createAskMock } from './create-ask-mock.ts';
import type { DeployedReply, DeployedRequest, Deployment } from './deployment.ts';

/** Starts a deployment on a free port and returns its base URL; one that is just the mock is the mock's own server. */
export async function startDeployment(
  deployment: Deployment,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const { options, createBehaviour, basePath = '/v1', prepare } = deployment;
  const isMock = createBehaviour === undefined && prepare === undefined && basePath === '/v1';
  if (isMock) return startMock({ ...options, port: 0, log: 'silent' });
  const askMock = await createAskMock(options);
  const behave = createBehaviour?.() ?? ((request) => askMock(request));
  const prefix = basePath.replace(/\/$/, '');
  // Without the headers that nobody reads here: they take time at both ends.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    response.sendDate = false;
    readRequest(request, prefix)
      .then((asked) => behave(asked, askMock))
      .then((reply) => (reply === 'drop' ? response.destroy() : write(response, reply)))
      .catch(() => response.destroy());
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
    },
  };
}

async function readRequest(incoming: IncomingMessage, prefix: string): Promise<DeployedRequest> {
  const { method = 'GET', url = '/', headers } = incoming;
  const [path = '', ...query] = url.split('?');
  const chunks: Buffer[] = [];
  if (method !== 'GET') for await (const chunk of incoming) chunks.push(chunk);
  return {
    method,
    path: path.startsWith(prefix) ? path.slice(prefix.length) : `/outside${path}`,
    query: new URLSearchParams(query.join('?')),
    headers: headers as Record<string, string>,
    body: Buffer.concat(chunks).toString(),
  };
}

function write(response: ServerResponse, { status, headers, body }: DeployedReply): void {
  response.statusCode = status;
  for (const name in headers) response.setHeader(name, headers[name] ?? '');
  response.end(body);
}
