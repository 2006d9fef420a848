import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ApiError } from '../../common/http/api-error.ts';
import { readAnimalFacts } from '../../common/json/animal-facts.ts';
import { loadContract } from '../../common/load-contract.ts';
import { createProfile } from '../../fixtures/create-profile.ts';
import { readBehaviour } from '../../mock/choices/behaviours.ts';
import { hooksOf } from '../../mock/choices/choices.ts';
import { startMock } from '../../mock/index.ts';
import { type MockConfig, resolveMockOptions } from '../../mock/options.ts';
import { answer, methodsAt } from '../../mock/service/answer.ts';
import { createServiceContract } from '../../mock/service/contract.ts';
import { createContents, PetStore } from '../../mock/service/pet-store.ts';
import { printAnswer } from '../../mock/service/print-answer.ts';
import { joinHeaders, type SendRequest, toBytes, toSent } from '../client/send-request.ts';
import type { AskMock, Deployment } from './deployment.ts';
import type { DeployedRequest } from './messages.ts';

/** Factor of the time of a mock in this process, so that few lists have to wait for an animal. */
const SPEED = 20;

/** The animals of each start, which are the same for the same options. */
const profiles = new Map<string, ReturnType<typeof createProfile>>();

function chooseAnimals({ profile, seed, animals }: MockConfig): ReturnType<typeof createProfile> {
  const key = `${profile} ${animals}`;
  const chosen = profiles.get(key) ?? createProfile(profile, { seed, animals });
  profiles.set(key, chosen);
  return chosen;
}

/** Creates a mock without a server: the plain service with a behaviour, which keeps to the contract that the suite has. */
async function createAskMock({ options = {}, target = {} }: Partial<Deployment>): Promise<AskMock> {
  const contract = createServiceContract(readAnimalFacts(target.contract ?? loadContract()));
  const config = resolveMockOptions(options);
  const store = new PetStore(createContents(await chooseAnimals(config)));
  const hooks = hooksOf(readBehaviour(options.behaviour ?? { order: 'oldest' }));
  const { apiKeys } = config;
  const { random } = Math;
  return async (request) => {
    const path = `/v1${request.path}`;
    const operation = methodsAt(path)?.[request.method];
    const isEncoded = request.headers['content-encoding'] !== undefined;
    const body = isEncoded ? unreadable() : Buffer.from(request.body);
    const search = request.query.size > 0 ? `?${request.query}` : '';
    const ask = { ...request, operation, path, search, body, basePath: '/v1', marks: {} };
    const world = {
      ...{ contract, store, apiKeys, random },
      ...{ now: new Date(), clock: performance.now() * SPEED, createId: () => crypto.randomUUID() },
    };
    const { headers, ...reply } = printAnswer(answer(ask, world, hooks));
    const all = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)] as const);
    // The server of the deployment sets the length of what it sends.
    // A second passes at once.
    const sent = all.map(([name, value]) => [name, name === 'retry-after' ? '0' : value] as const);
    return { ...reply, headers: Object.fromEntries(sent.filter(([name]) => name !== 'content-length')) };
  };
}

const unreadable = () =>
  new ApiError('invalid_request', 'The request could not be read: incorrect header check.');

/** Asks a deployment in this process, in a third of the time that HTTP takes. */
export async function askDeployment(deployment: Partial<Deployment>): Promise<SendRequest> {
  const askMock = await createAskMock(deployment);
  const behave = deployment.createAnswer?.() ?? askMock;
  return async (request) => {
    const sent = toSent(request);
    const { method } = request;
    const [path = '', ...query] = sent.path.split('?');
    const headers = joinHeaders(sent.headers);
    const text = method === 'GET' ? '' : toBytes(request).toString();
    const asked = { method, path, query: new URLSearchParams(query.join('?')), headers, body: text };
    // Requests that are sent at once arrive one after the other.
    await nextTurn();
    const reply = await behave(asked, askMock).catch(() => 'drop' as const);
    if (reply === 'drop') return { response: undefined, failure: { kind: 'cut', reason: 'socket hang up' } };
    const response = { ...reply, headers: joinHeaders(reply.headers), body: Buffer.from(reply.body) };
    return { response, failure: undefined };
  };
}

/** Starts a deployment on a free port. One that is just the mock is the mock's own server. */
export async function startDeployment(deployment: Partial<Deployment>) {
  const { options, createAnswer, basePath = '/v1' } = deployment;
  const isMock = createAnswer === undefined && basePath === '/v1';
  if (isMock) return startMock({ ...options, port: 0, log: 'silent' });
  const askMock = await createAskMock(deployment);
  const behave = createAnswer?.() ?? askMock;
  // Without the headers that nobody reads here: they take time at both ends.
  const connections = new Map<Socket, number>();
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    response.sendDate = false;
    const { socket } = request;
    if (!connections.has(socket)) connections.set(socket, connections.size + 1);
    const connection = connections.get(socket) ?? 0;
    readRequest(request, basePath.replace(/\/$/, ''))
      .then((asked) => behave({ ...asked, connection }, askMock))
      .then((reply) => {
        if (reply === 'drop') return response.destroy();
        response.statusCode = reply.status;
        for (const name in reply.headers) response.setHeader(name, reply.headers[name] ?? '');
        return response.end(reply.body);
      })
      .catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}${basePath}`, close };
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
