import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { completeBehaviour, readBehaviour } from '../../common/behaviour/behaviours.ts';
import { ApiError } from '../../common/http/api-error.ts';
import type { Reply } from '../../common/http/reply.ts';
import { createProfile } from '../../fixtures/profiles.ts';
import type { OperationContext } from '../../mock/api/operations.ts';
import { createContents, PetStore } from '../../mock/api/pet-store.ts';
import { answerRequest } from '../../mock/browser/answer-request.ts';
import { createRoutes } from '../../mock/browser/create-routes.ts';
import { type MockOptions, startMock } from '../../mock/index.ts';
import { type MockConfig, resolveMockOptions } from '../../mock/options.ts';
import type { Context } from '../../mock/pipeline/context.ts';
import { refusePath } from '../../mock/pipeline/refusals.ts';
import { runWithSlash } from '../../mock/pipeline/run-with-slash.ts';
import { runOperation, takeSteps } from '../../mock/pipeline/take-steps.ts';
import type { Outcome } from '../../mock/session/fault-effects.ts';
import { ActiveFaults } from '../../mock/session/faults.ts';
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

type Run = (context: Context) => Promise<Outcome>;

/** Registers a route for a method, or for all of them. */
const register = (method?: string) => (path: RegExp, run: Run) => ({ method, path, run });
const http = { get: register('GET'), head: register('HEAD'), post: register('POST'), all: register() };
const routes = createRoutes<ReturnType<ReturnType<typeof register>>, Run>(http, '', {
  run: (operation) => (context) => runOperation(context, operation),
  refuse: (step) => (context) => takeSteps(context, step),
  runWithSlash,
});

function findRoute(method: string, target: string): Run {
  const isMatch = (route: (typeof routes)[number]) =>
    (route.method ?? method) === method && route.path.test(target);
  const route = routes.find(isMatch);
  return route?.run ?? ((context) => takeSteps(context, refusePath));
}

/** Creates a mock without a server: its operations and its check of the key. */
async function createAskMock(options: MockOptions = {}): Promise<AskMock> {
  const config = resolveMockOptions(options);
  const store = new PetStore(createContents(await chooseAnimals(config)));
  const behaviour = completeBehaviour(readBehaviour(options.behaviour ?? { order: 'oldest' }));
  const settings = { apiKeys: config.apiKeys, behaviour };
  const clock = () => performance.now() * SPEED;
  const faults = new ActiveFaults({ seed: 1 });
  const now = () => new Date();
  const { random } = Math;
  const source = { behaviour, noteActed: () => {}, random, now, clock };
  const session = { ...(source satisfies OperationContext['session']), settings, faults };
  const fail = (error: unknown) => {
    throw error;
  };
  const ask = async ({ body, ...request }: DeployedRequest) => {
    const path = `/v1${request.path}`;
    const readBody = async () => {
      if (request.headers['content-encoding'] === undefined)
        return { mediaType: request.headers['content-type'], bytes: Buffer.from(body) };
      throw new ApiError('invalid_request', 'The request could not be read: incorrect header check.');
    };
    // Another session, so that the journal does not record it.
    const url = request.query.size > 0 ? `${path}?${request.query}` : path;
    const onClose = () => {};
    const context = {
      ...request,
      path,
      url,
      store,
      session,
      sessionName: 'none',
      basePath: '/v1',
      readBody,
      onClose,
    };
    return answerRequest(context as unknown as Context, findRoute(request.method, path), fail);
  };
  return async (request) => {
    const { reply: answered } = (await ask(request)) as Outcome & { readonly reply: Reply };
    const { headers, ...reply } = answered;
    const all = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)] as const);
    // The server of the deployment sets the length of what it sends.
    // A second passes at once.
    const sent = all.map(([name, value]) => [name, name === 'retry-after' ? '0' : value] as const);
    return { ...reply, headers: Object.fromEntries(sent.filter(([name]) => name !== 'content-length')) };
  };
}

/** Asks a deployment in this process, in a third of the time that HTTP takes. */
export async function askDeployment({ options, createAnswer }: Partial<Deployment>): Promise<SendRequest> {
  const askMock = await createAskMock(options);
  const behave = createAnswer?.() ?? askMock;
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
  const askMock = await createAskMock(options);
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
