import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTarget } from '../testing/run-suite.ts';
import { NoVerdict } from './clause-errors.ts';
import { Exchange, type Sent, type SuiteRequest } from './exchange.ts';
import { Interruptions, type Prober } from './interruptions.ts';
import type { TargetOptions } from './target.ts';

const fail = (kind: 'refused' | 'cut' | 'body ended' | 'timeout' | 'proxy', reason: string = kind): Sent => ({
  response: undefined,
  failure: { kind, reason },
});

function respond(status: number, body = '[]'): Sent {
  return { response: { status, headers: {}, body: Buffer.from(body) }, failure: undefined };
}

const refused = fail('refused');
const cut = fail('cut');
const page = respond(502, '<html>Bad Gateway</html>');

interface Deployed extends Partial<TargetOptions> {
  /** What the probes get, the last one again and again. */
  readonly probes?: readonly Sent[];
  /** How long the deployment may be away, in ms. */
  readonly patience?: number;
  /** Number of the last request whose key was accepted. */
  readonly accepted?: number;
}

const BASE = 'http://127.0.0.1:9/v1';

/** Creates interruptions with a client whose requests nobody receives. */
function create({ probes = [respond(200)], patience = 10_000, accepted = 0, ...options }: Deployed = {}) {
  const target = createTarget(options);
  const ending = new AbortController();
  const probed: string[] = [];
  const waits: number[] = [];
  const journal: Exchange[] = [];
  const left = [...probes];
  const createExchange = (sent: Sent, others: Partial<SuiteRequest> = {}, at = 0) => {
    const headers = { Authorization: `Bearer ${target.apiKey}` };
    const request = {
      method: 'GET',
      base: BASE,
      path: '/pets',
      headers,
      body: undefined,
      isAuthorized: true,
    };
    return new Exchange({ ...request, ...others }, sent, target, at);
  };
  const client: Prober = {
    target,
    signal: ending.signal,
    journal,
    probe: async (path) => {
      probed.push(path);
      return createExchange((left.length > 1 ? left.shift() : left[0]) as Sent, { path });
    },
    wait: async (ms) => {
      waits.push(ms);
      await setImmediate();
    },
    end: (reason) => {
      throw new NoVerdict(reason);
    },
  };
  const interruptions = new Interruptions(client, patience, accepted);
  return { interruptions, createExchange, target, probed, waits, journal, ending };
}

const post = (body: string) => ({ method: 'POST', body });

const LIST = '/pets?limit=1';

interface Row extends Deployed {
  readonly sent: Sent;
  readonly request?: Partial<SuiteRequest>;
  /** Number of restarts before the answer, and before the request. */
  readonly restarts?: readonly [number, number];
  readonly isAgain?: boolean;
}

test.for<[what: string, row: Row, isSentAgain: boolean, probed: readonly string[], restarts?: number]>([
  ['a response', { sent: respond(200) }, false, []],
  ['a 404', { sent: respond(404) }, false, []],
  ['no answer in time', { sent: fail('timeout') }, false, []],
  ['a refusal without patience', { sent: refused, patience: 0 }, false, []],
  ['a refusal of another origin', { sent: refused, request: { base: 'http://127.0.0.1:9' } }, false, []],
  ['a refused connection', { sent: refused, isAgain: true }, true, [LIST], 1],
  ['a refused POST', { sent: refused, request: post('{}') }, true, [LIST], 1],
  ['a proxy that fails', { sent: fail('proxy') }, true, [LIST], 1],
  [
    'a deployment that is away for long',
    { sent: refused, probes: [refused, page, respond(200)] },
    true,
    [LIST, LIST, LIST],
    1,
  ],
  ['a page of the gateway by chance', { sent: page }, false, [LIST], 0],
  ['a page of the gateway', { sent: page, probes: [page, respond(200)] }, true, [LIST, LIST], 1],
  [
    'a second page of the gateway',
    { sent: page, probes: [page, respond(200)], isAgain: true },
    false,
    [LIST, LIST],
    1,
  ],
  ['a cut by chance', { sent: cut }, false, [LIST], 0],
  ['a cut body by chance', { sent: fail('body ended') }, false, [LIST], 0],
  ['a cut before a restart', { sent: cut, probes: [refused, respond(404)] }, true, [LIST, LIST], 1],
  ['a cut during a restart that is over', { sent: cut, restarts: [3, 2] }, true, [LIST], 3],
  ['a cut after a restart', { sent: cut, restarts: [3, 3] }, false, [LIST], 3],
  [
    'a POST that was cut by chance',
    { sent: cut, request: post('{}'), probes: [respond(500)] },
    false,
    [LIST],
    0,
  ],
])('whether a request is sent again after %s', async ([, row, isSentAgain, probed, count = 0]) => {
  const { sent, request, restarts: [restarts, since] = [0, 0], isAgain = false, ...deployed } = row;
  const one = create(deployed);
  one.interruptions.restarts = restarts;
  const exchange = one.createExchange(sent, request);
  expect(await one.interruptions.mustSendAgain(exchange, 5, since, isAgain)).toBe(isSentAgain);
  expect([one.probed, one.interruptions.restarts, one.interruptions.takeInterrupted(5)]).toEqual([
    probed,
    count,
    false,
  ]);
});

test.for<[what: string, deployed: Deployed, reason: string]>([
  [
    'refuses connections',
    { probes: [refused], patience: 1 },
    'the deployment has refused connections for 0.001 s',
  ],
  [
    'is behind a proxy that fails',
    { probes: [fail('proxy', 'the proxy is down')], patience: 1 },
    'the proxy is down for 0.001 s',
  ],
  ['has a gateway', { probes: [page], patience: 1 }, 'its gateway has answered 502 for 0.001 s'],
])('a deployment that %s for too long ends the run', async ([, deployed, reason]) => {
  const { interruptions, createExchange } = create(deployed);
  const asked = interruptions.mustSendAgain(createExchange(refused), 0, 0, false);
  await expect(asked).rejects.toThrow(new NoVerdict(reason));
});

test('a deployment that answers 500 for too long is not away: an error of its own is a finding', async () => {
  const { interruptions, createExchange } = create({ probes: [page, respond(500)], patience: 1 });
  expect(await interruptions.mustSendAgain(createExchange(page), 0, 0, false)).toBe(true);
});

test('a deployment is asked after a pause, since it may stop, and then again after each pause', async () => {
  const { interruptions, createExchange, waits } = create({ probes: [refused, refused, respond(200)] });
  await interruptions.mustSendAgain(createExchange(cut), 0, 0, false);
  expect(waits).toEqual([250, 250, 250]);
});

const animal = (id: number) => `{"id":${id},"name":"Rex"}`;

test.for<[what: string, probes: readonly Sent[], isLost: boolean, probed: readonly string[]]>([
  ['has the animal', [respond(200, animal(8))], false, ['/pets/8']],
  ['refuses the key', [respond(401)], false, ['/pets/8']],
  ['lists the animal', [respond(404), respond(200, `[${animal(8)}]`)], false, ['/pets/8', '/pets?limit=100']],
  ['has other animals', [respond(404), respond(200, `[${animal(7)}]`)], true, ['/pets/8', '/pets?limit=100']],
  ['says that it is gone', [respond(410), respond(200)], true, ['/pets/8', '/pets?limit=100']],
])('after a restart a deployment that %s', async ([, probes, isLost, probed]) => {
  const { interruptions, createExchange, journal, ...one } = create({ probes });
  const fetch = (id: number, at: number, status = 200) =>
    journal.push(createExchange(respond(status, animal(id)), { path: `/pets/${id}` }, at));
  for (const id of [7, 8, 9]) journal.push(createExchange(respond(201, animal(id)), post(animal(id))));
  // The last one that was fetched counts: 9 was not, and 6 is not of this run.
  fetch(7, 20);
  fetch(8, 30);
  fetch(7, 25);
  fetch(9, 40, 404);
  fetch(6, 50);
  const asked = interruptions.mustSendAgain(createExchange(refused), 0, 0, false);
  if (isLost) await expect(asked).rejects.toThrow('the deployment restarted and lost its data');
  else expect(await asked).toBe(true);
  expect(one.probed).toEqual(probed);
});

test('a POST that a restart cut repeats its clause, once for each restart', async () => {
  const { interruptions, createExchange } = create();
  const restart = (body: string, rank: number) => {
    interruptions.restarts += 1;
    return send(body, rank);
  };
  const send = (body: string, rank: number) => {
    const exchange = createExchange(cut, post(body));
    return interruptions.mustSendAgain(exchange, rank, interruptions.restarts - 1, false);
  };
  const interrupted = 'the deployment restarted before it responded to a request';
  await expect(restart('{"name":"a 1"}', 5)).rejects.toMatchObject({
    cause: 'no verdict',
    message: interrupted,
  });
  // Requests of the clause at the same time.
  await expect(send('{"name":"b"}', 5)).rejects.toThrow(interrupted);
  expect([5, 5, 6].map((rank) => interruptions.takeInterrupted(rank))).toEqual([true, false, false]);
  await expect(restart('{"name":"a 1"}', 6)).rejects.toThrow(interrupted);
  // A request that restarts the deployment each time is a finding, and other restarts are none.
  expect(await restart('{"name":"a 22"}', 5)).toBe(false);
  await expect(restart('{"name":"c"}', 5)).rejects.toThrow('the deployment restarted 4 times');
});

test('all requests wait for one restart, and not after the end of the run', async () => {
  const { interruptions, createExchange, ending } = create({ probes: [refused] });
  const ask = () => interruptions.mustSendAgain(createExchange(refused), 0, 0, false);
  const asked = [ask(), ask()].map((one) => one.catch((error: Error) => error.message));
  const settled = interruptions.settle().catch((error: Error) => error.message);
  expect(await Promise.race([settled, delay(20, 'it waits')])).toBe('it waits');
  ending.abort();
  const reason = 'the deployment refused connections until the run ended';
  expect(await Promise.all([...asked, settled])).toEqual([reason, reason, reason]);
  expect(interruptions.restarts).toBe(1);
  await interruptions.settle();
});

/** Asks for a new key after a 401. */
async function renew({ interruptions, createExchange }: ReturnType<typeof create>) {
  const isRenewed = interruptions.hasRenewed(createExchange(respond(401)));
  return isRenewed.catch((error) => {
    expect(error).toBeInstanceOf(NoVerdict);
    return error.message;
  });
}

const refusedAfter = (count: number) => `the key was accepted until request ${count} and then refused`;

test.for<[what: string, noted: readonly [Sent, number][], last: number]>([
  ['with nothing', [], 0],
  ['with a 404 first', [[respond(404), 4]], 0],
  ['with a redirect first', [[respond(300), 4]], 0],
  ['with a list', [[respond(201), 4]], 4],
  [
    'with a list, then a redirect and a 404',
    [
      [respond(200), 4],
      [respond(302), 5],
      [respond(404), 6],
    ],
    6,
  ],
  [
    'with lists in another order',
    [
      [respond(200), 4],
      [respond(200), 3],
    ],
    4,
  ],
  [
    'with a list, then with what shows nothing',
    [
      [respond(200), 4],
      [respond(401), 5],
      [respond(429), 6],
      [respond(500), 7],
      [refused, 8],
    ],
    4,
  ],
])('the last request whose key was accepted, of requests that were answered %s', async ([, noted, last]) => {
  const one = create({ probes: [respond(401)] });
  for (const [sent, number] of noted) one.interruptions.note(one.createExchange(sent), number);
  one.interruptions.note(one.createExchange(respond(200), { isAuthorized: false }), 99);
  one.interruptions.note(one.createExchange(respond(200), { base: 'http://127.0.0.1:9' }), 99);
  expect(await renew(one)).toBe(last === 0 ? false : refusedAfter(last));
  expect(one.waits).toEqual(last === 0 ? [] : [0, 1_000]);
  expect(one.probed).toHaveLength(one.waits.length);
  for (const path of one.probed) expect(path).toMatch(/^\/pets\?limit=(?:6[1-9]|[78]\d|9[0-8])$/);
});

test.for<[what: string, probes: readonly Sent[], isOver: boolean]>([
  ['200', [respond(200)], true],
  ['403', [respond(403)], true],
  ['401, then 200', [respond(401), respond(200)], true],
  ['401 and 429', [respond(401), respond(429)], false],
  ['429 and 500', [respond(429), respond(500)], false],
  ['no response', [refused], false],
])(
  'a key is tried again, and is refused unless the request gets a response: %s',
  async ([, probes, isOver]) => {
    const one = create({ probes, accepted: 4 });
    expect(await renew(one)).toBe(isOver ? false : refusedAfter(4));
  },
);

test('a key that was accepted for one request only is renewed, too', async () => {
  const one = create({ probes: [respond(401)], accepted: 1, renewKey: async () => 'next-key' });
  expect([await renew(one), one.target.apiKey]).toEqual([true, 'next-key']);
});

test('only a 401 for the valid key asks for another key', async () => {
  const { interruptions, createExchange, probed } = create({ probes: [respond(401)], accepted: 4 });
  const others = [
    createExchange(respond(403)),
    createExchange(refused),
    createExchange(respond(401), { isAuthorized: false }),
  ];
  for (const exchange of others) expect(await interruptions.hasRenewed(exchange)).toBe(false);
  expect(probed).toEqual([]);
});

test('a key is renewed once for all requests, and again after it was accepted', async ({ expect }) => {
  const signals: AbortSignal[] = [];
  const renewKey = async (signal: AbortSignal) => `key-${signals.push(signal)}`;
  const one = create({ probes: [respond(401)], accepted: 4, renewKey });
  const { interruptions, createExchange, target, probed, ending } = one;
  const old = createExchange(respond(401));
  expect(await Promise.all([renew(one), renew(one)])).toEqual([true, true]);
  expect([target.apiKey, target.oldKeys, signals]).toEqual(['key-1', ['test-key'], [ending.signal]]);
  // A request with the key before is sent again, and asks for nothing.
  expect([await interruptions.hasRenewed(old), probed.length]).toEqual([true, 2]);
  interruptions.note(createExchange(respond(200)), 9);
  expect(await renew(one)).toBe(true);
  expect(target.apiKey).toBe('key-2');
  const useless = `${refusedAfter(9)}. --api-key-command prints no key that is accepted`;
  expect(await renew(one)).toBe(useless);
});

test.for<[what: string, renewKey: () => Promise<string>, reason: string]>([
  [
    'the same key',
    async () => 'test-key',
    `${refusedAfter(4)}. --api-key-command prints no key that is accepted`,
  ],
  ['none', () => Promise.reject(new Error('it ended with 7')), 'it ended with 7'],
])('a command that prints %s ends the run', async ([, renewKey, reason]) => {
  const one = create({ probes: [respond(401)], accepted: 4, renewKey });
  expect(await renew(one)).toBe(reason);
});
