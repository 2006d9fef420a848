import { expect, test } from 'vitest';
import type { JsonObject } from '../../common/json/exact-json.ts';
import { createTarget } from '../testing/run-suite.ts';
import { Client, type ClientOptions } from './client.ts';
import { type SuiteRequest, type SuiteResponse, type TransportFailure, toOperation } from './exchange.ts';
import { MOST_ADDED } from './run-limits.ts';
import type { SendRequest } from './send-request.ts';
import type { TargetOptions } from './target.ts';

/** Creates a client. @param respond returns the body of a response, '' for a 429, undefined for no response. */
function createClient(
  respond: (one: SuiteRequest) => string | undefined,
  options?: Partial<TargetOptions>,
  headers: SuiteResponse['headers'] = { 'retry-after': '0' },
) {
  const sendRequest: SendRequest = async (request) => {
    const body = respond(request);
    if (body === undefined)
      return { response: undefined, failure: { kind: 'timeout', reason: 'no answer within 10000 ms' } };
    const response = { status: body === '' ? 429 : 200, headers, body: Buffer.from(body) };
    return { response, failure: undefined };
  };
  return new Client(createTarget(options), { sendRequest });
}

const list = { path: '/pets' };

test.concurrent('of a long list the fields that clauses read are kept, with exact ids', async () => {
  const more = Array.from({ length: 1_000 }, (_, index) => `"x${index}":[{"id":1.5}],"y${index}":"]\\\\"`);
  const animal = (id: bigint, name: string) =>
    `{${more}, "id" : ${id} ,"name":"${name}","status":[1],"\\u0063ode":null,"categoryId":1e2}`;
  const long = 'x'.repeat(5_000);
  const animals = [animal(2n ** 60n + 1n, 'Rex'), animal(2n, `${long}1`), animal(3n, `${long}2`)];
  const exchange = await createClient(() => ` [${animals} , 7,[[8]]] `).send(list);
  const [first, ...others] = exchange.json as readonly JsonObject[];
  expect(first).toEqual({ id: 2n ** 60n + 1n, name: 'Rex', status: [1n], code: null, categoryId: 100n });
  expect(others.map(({ name }) => name)).toEqual([`${long}1`, `${long}2`, undefined, undefined]);
  expect(others.slice(2)).toEqual([7n, [[8n]]]);
  expect(exchange.response?.body.length).toBeLessThan(20_000);
  const { json } = await createClient(() => animal(7n, 'Rex')).send(list);
  expect(json).toEqual({ id: 7n, name: 'Rex', status: [1n], code: null, categoryId: 100n });
});

test.concurrent('of a longer name the beginning and the length are kept, and two of them are equal only as a whole', async () => {
  const [beginning, middle] = ['Rex of the valley', 'x'.repeat(76_000)];
  const names = ['1', '2', '\\ud800', '\\ud801'].map((end) => `${beginning}${middle}${end}`);
  const toAnimal = (name: string) => `{"id":1,"name":"${name}","categoryId":1}`;
  const client = createClient(({ path, body }) => {
    if (body !== undefined) return body;
    return path === '/pets' ? `[${names.map(toAnimal)}]` : toAnimal(names[0] ?? '');
  });
  const listed = (await client.send(list)).animals.map(({ name }) => name);
  const fetched = (await client.send({ path: '/pets/1' })).object?.name;
  const posted = await client.send({ method: 'POST', path: '/pets', body: toAnimal(names[1] ?? '') });
  expect(new Set(listed).size).toBe(4);
  expect([fetched, posted.sent.name, posted.object?.name]).toEqual([listed[0], listed[1], listed[1]]);
  for (const name of listed) {
    expect(String(name).startsWith(beginning)).toBe(true);
    expect(name).toContain('76018 characters');
    expect(String(name).length).toBeLessThan(2_000);
  }
});

test.concurrent('no more animals are added than a run may, however many requests are sent at once', async () => {
  const bodies: string[] = [];
  const client = createClient(({ body = '' }) => {
    bodies.push(body);
    return '{"id":1}';
  });
  const post = (index: number) => client.send({ method: 'POST', path: '/pets', body: `{"name":"${index}"}` });
  const sent = await Promise.allSettled(Array.from({ length: MOST_ADDED + 20 }, (_, index) => post(index)));
  expect(bodies).toHaveLength(MOST_ADDED);
  const refused = sent.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  expect(refused).toHaveLength(20);
  const message = `the run has added ${MOST_ADDED} animals, its limit`;
  for (const error of refused) expect(error).toMatchObject({ message, cause: 'limit of animals' });
  // Other requests are still sent.
  expect((await client.send(list)).status).toBe(200);
});

test.concurrent('a request that is refused takes no room, and one that a gateway gave up may have added an animal', async () => {
  let count = 0;
  const sendRequest: SendRequest = async () => {
    count += 1;
    const status = [400, 201, 504][count % 3] ?? 400;
    return { response: { status, headers: {}, body: Buffer.from('{}') }, failure: undefined };
  };
  const client = new Client(createTarget(), { sendRequest });
  const sending = Array.from({ length: 2 * MOST_ADDED }, () =>
    client.send({ method: 'POST', path: '/pets', body: '{}' }),
  );
  const sent = await Promise.allSettled(sending);
  const added = sent.filter((one) => one.status === 'fulfilled' && one.value.status !== 400);
  expect(added).toHaveLength(MOST_ADDED);
});

test.concurrent('a member that is nested very deeply leaves the rest to be read', async () => {
  const animal = `{"id":1,"x":${'['.repeat(2_500)}${']'.repeat(2_500)}}`;
  expect((await createClient(() => animal).send(list)).json).toEqual({ id: 1n, x: [] });
});

test.concurrent('a request that gets 429 is sent again five times, each time after a longer wait', async () => {
  const times: number[] = [];
  const respond = () => {
    times.push(performance.now());
    return '';
  };
  await expect(createClient(respond).send(list)).rejects.toThrow('429');
  const waits = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  expect(waits).toHaveLength(5);
  expect([0, 90, 180, 360, 720].filter((least, index) => Number(waits[index]) < least)).toEqual([]);
});

test.concurrent('a client finds the rate of a deployment that refuses too many requests and asks for no wait', async () => {
  let last = 0;
  const respond = () => {
    const isTooSoon = performance.now() - last < 50;
    if (!isTooSoon) last = performance.now();
    return isTooSoon ? '' : '[]';
  };
  const client = createClient(respond, {}, {});
  const exchanges = await Promise.all(Array.from({ length: 12 }, () => client.send(list)));
  expect(exchanges.map(({ status }) => status)).toEqual(Array(12).fill(200));
});

const cut: TransportFailure = { kind: 'cut', reason: 'socket hang up' };

const absences: readonly (readonly [cause: string, failure: TransportFailure])[] = [
  ['the deployment has refused connections', { kind: 'refused', reason: 'connect ECONNREFUSED 127.0.0.1:9' }],
  ['the deployment has closed connections without an answer', cut],
  [
    'the proxy http://a.test failed: it refused with 503',
    { kind: 'proxy', reason: 'the proxy http://a.test failed: it refused with 503' },
  ],
];

test.concurrent.for(absences)(
  '%s for longer than the patience of a client ends the run',
  async ([cause, failure]) => {
    let requests = 0;
    const refused = { response: undefined, failure };
    const response = { status: 200, headers: {}, body: Buffer.from('[]') };
    const sendRequest: SendRequest = async () =>
      ++requests > 1 ? refused : { response, failure: undefined };
    const client = new Client(createTarget(), { sendRequest, patience: 100 });
    await client.send(list);
    for (let count = 0; count < 2; count += 1)
      await expect(client.send(list)).rejects.toThrow(`${cause} for 0.1 s`);
  },
);

test.concurrent('a request whose connection is refused is sent again, POST too, until the deployment is back', async () => {
  const failure: TransportFailure = { kind: 'refused', reason: 'connect ECONNREFUSED 127.0.0.1:9' };
  const response = { status: 201, headers: {}, body: Buffer.from('{"id":1}') };
  let requests = 0;
  const sendRequest: SendRequest = async () =>
    ++requests < 3 ? { response: undefined, failure } : { response, failure: undefined };
  const client = new Client(createTarget(), { sendRequest });
  const { status } = await client.send({ method: 'POST', path: '/pets', body: '{}' });
  expect([status, requests]).toEqual([201, 3]);
});

/** Creates a client of a deployment that cuts some connections. @param isCut gets the number of the request, from 1 */
function createCutClient(isCut: (request: SuiteRequest, number: number) => boolean) {
  const response = { status: 201, headers: {}, body: Buffer.from('{"id":1}') };
  const recorded: string[] = [];
  let requests = 0;
  const sendRequest: SendRequest = async (request) => {
    requests += 1;
    return isCut(request, requests)
      ? { response: undefined, failure: cut }
      : { response, failure: undefined };
  };
  const onExchange: ClientOptions['onExchange'] = ({ request, outcome }, isSentAgain) =>
    void recorded.push(`${request.method} ${outcome}${isSentAgain ? ', sent again' : ''}`);
  return { recorded, client: new Client(createTarget(), { sendRequest, onExchange }) };
}

const creation = { method: 'POST', path: '/pets', body: '{}' };
const noAnswer = 'no answer (socket hang up)';

test.concurrent.for([list, creation])(
  'where every connection is closed for a while, a request is sent again: %j',
  async (one) => {
    const { client, recorded } = createCutClient((_, number) => number <= 3);
    expect((await client.send(one)).status).toBe(201);
    const lost = Array(3).fill(`${noAnswer}, sent again`);
    expect(recorded.map((line) => line.replace(/^\w+ /, ''))).toEqual([...lost, '201', '201']);
    expect(client.perhapsAdded).toBe(one === creation ? 1 : 0);
  },
);

test.concurrent.for<[operation: string, one: typeof creation | typeof list, probes: readonly string[]]>([
  ['POST /pets', creation, ['GET 201']],
  ['GET /pets', list, [`GET ${noAnswer}`, 'GET 201']],
])(
  'a connection that is closed for %s only, while other requests are answered, has no answer',
  async ([operation, one, probes]) => {
    const { client, recorded } = createCutClient((request) => toOperation(request) === operation);
    const { request, outcome } = await client.send(one);
    expect(outcome).toBe(noAnswer);
    expect(recorded).toEqual([...probes, `${request.method} ${noAnswer}`]);
  },
);

test.concurrent.for([
  ...[400, 401, 415, 422].map((status) => [status, 0] as const),
  // These may be due to the animal that the first one has added.
  ...[409, 500].map((status) => [status, 1] as const),
])(
  'a POST without an answer that then gets %i has perhaps added %i animals',
  async ([status, perhapsAdded]) => {
    let requests = 0;
    const sendRequest: SendRequest = async ({ method }) => {
      requests += 1;
      if (requests <= 3) return { response: undefined, failure: cut };
      const response = { status: method === 'POST' ? status : 200, headers: {}, body: Buffer.from('{}') };
      return { response, failure: undefined };
    };
    const client = new Client(createTarget(), { sendRequest });
    expect((await client.send(creation)).status).toBe(status);
    expect(client.perhapsAdded).toBe(perhapsAdded);
  },
);

test.concurrent('a request that ends the service each time has no answer once the service is back', async () => {
  let down = 0;
  const { client, recorded } = createCutClient(({ method }) => {
    down = method === 'POST' ? 2 : down - 1;
    return method === 'POST' || down >= 0;
  });
  expect((await client.send(creation)).outcome).toBe(noAnswer);
  expect(recorded.filter((line) => line.startsWith('POST'))).toEqual([
    `POST ${noAnswer}, sent again`,
    `POST ${noAnswer}`,
  ]);
});

test.concurrent('a POST that a gateway does not pass on is sent again, also after one whose connection was closed', async () => {
  const posts: (number | undefined)[] = [undefined, 502, 201];
  const sendRequest: SendRequest = async ({ method }) => {
    const status = method === 'POST' ? posts.shift() : 200;
    if (status === undefined) return { response: undefined, failure: cut };
    return { response: { status, headers: {}, body: Buffer.from('{"id":1}') }, failure: undefined };
  };
  const client = new Client(createTarget(), { sendRequest });
  expect((await client.send(creation)).outcome).toBe(noAnswer);
  expect((await client.send(creation)).status).toBe(201);
});

test.concurrent('an operation that a gateway never passes on is sent again for its first request only', async () => {
  let fetches = 0;
  const sendRequest: SendRequest = async ({ path }) => {
    const isFetch = path !== '/pets?limit=1';
    if (isFetch) fetches += 1;
    return {
      response: { status: isFetch ? 502 : 200, headers: {}, body: Buffer.from('[]') },
      failure: undefined,
    };
  };
  const client = new Client(createTarget(), { sendRequest });
  for (const id of [1, 2, 3]) expect((await client.send({ path: `/pets/${id}` })).status).toBe(502);
  expect(fetches).toBe(6 + 2);
});

test.concurrent('an operation that a gateway has passed on again is sent again as before', async () => {
  const statuses = [502, 502, 200, 502, 200];
  const sendRequest: SendRequest = async () => {
    const response = { status: statuses.shift() ?? 500, headers: {}, body: Buffer.from('[]') };
    return { response, failure: undefined };
  };
  const client = new Client(createTarget(), { sendRequest, patience: 0 });
  const received: number[] = [];
  for (let count = 0; count < 3; count += 1) received.push((await client.send(list)).status);
  expect([received, statuses]).toEqual([[502, 200, 200], []]);
});

test.concurrent('a deployment that refuses connections until the deadline gives no verdict', async () => {
  const failure: TransportFailure = { kind: 'refused', reason: 'connect ECONNREFUSED 127.0.0.1:9' };
  const sendRequest: SendRequest = async () => ({ response: undefined, failure });
  const client = new Client(createTarget({ deadline: 300 }), { sendRequest });
  await expect(client.send(list)).rejects.toThrow(
    'the deployment has refused connections until the run ended',
  );
});

test.concurrent('a key is refused although the requests that try it again get 429', async () => {
  const statuses = [200, 401];
  const sendRequest: SendRequest = async () => {
    const status = statuses.shift() ?? 429;
    return { response: { status, headers: {}, body: Buffer.from('[]') }, failure: undefined };
  };
  const client = new Client(createTarget(), { sendRequest });
  await client.send(list);
  const message = /^the key was accepted until request \d and then refused$/;
  await expect(client.send(list)).rejects.toThrow(message);
});

test.concurrent('a connection that is refused while the key is tried again is no response to it', async () => {
  const statuses = [200, 401, 0];
  const sendRequest: SendRequest = async () => {
    const status = statuses.shift() ?? 200;
    if (status === 0) return { response: undefined, failure: { kind: 'refused', reason: 'refused' } };
    return { response: { status, headers: {}, body: Buffer.from('[]') }, failure: undefined };
  };
  const recorded: string[] = [];
  const onExchange: ClientOptions['onExchange'] = ({ outcome }, isSentAgain) =>
    void recorded.push(`${outcome}${isSentAgain ? ', sent again' : ''}`);
  const client = new Client(createTarget(), { sendRequest, onExchange });
  await client.send(list);
  expect((await client.send(list)).status).toBe(401);
  expect(recorded).toEqual(['200', 'no answer (refused), sent again', '200', '401']);
});

test.concurrent('requests keep to --max-rate', async () => {
  const client = createClient(() => '[]', { maxRate: 100 });
  const start = performance.now();
  await Promise.all(Array.from({ length: 6 }, () => client.send(list)));
  expect(performance.now() - start).toBeGreaterThan(48);
});

test.concurrent('without allowsWrites a client sends no POST', async () => {
  const client = createClient(() => '[]', { baseUrl: 'https://staging.example/v1', allowsWrites: false });
  await expect(client.send({ method: 'POST', path: '/pets' })).rejects.toThrow('A table that writes');
  expect([client.requests, (await client.send(list)).status]).toEqual([0, 200]);
});

test.concurrent('a request that gets 429 waits as long as others of its operation get their turn', async () => {
  let last = performance.now();
  const respond = () => {
    const isTooSoon = performance.now() - last < 20;
    if (!isTooSoon) last = performance.now();
    return isTooSoon ? '' : '[]';
  };
  const client = createClient(respond);
  const exchanges = await Promise.all(Array.from({ length: 8 }, () => client.send(list)));
  expect(exchanges.map(({ status }) => status)).toEqual(Array(8).fill(200));
});

test.concurrent('a POST that has to wait for an hour gets its 429, and a list has no result', async () => {
  const client = createClient(() => '', {}, { 'retry-after': '3600' });
  const creation = { method: 'POST', path: '/pets', body: '{}' };
  for (const one of [creation, creation]) {
    const { status, isOverQuota } = await client.send(one);
    expect([status, isOverQuota]).toEqual([429, true]);
  }
  await expect(client.send(list)).rejects.toThrow('429');
});
