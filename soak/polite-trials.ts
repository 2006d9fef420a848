import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { type Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { printGet, printPost } from '../bench/print-request.ts';
import { sendRaw } from '../bench/send-raw.ts';
import type { Trial } from '../fuzz/run-fuzz.ts';
import { printScript } from '../fuzz/scripted-upstream.ts';
import { validAnswers } from '../fuzz/upstream-answers.ts';

/** The kind of the trials whose time is taken. */
export const ORDINARY = 'an animal';

/** How many animals the mock has at the least. */
const ANIMALS = 120;

const id = fc.integer({ min: 1, max: ANIMALS });
const key = { Authorization: 'Bearer test-key' };
const printOne = (number: number) => printGet(`/v1/pets/${number}`);

function trial(kind: string, run: (url: string) => Promise<unknown>, requests = 1): Trial {
  const described = `${kind}, ${requests} at once`;
  return { kind, requests, describe: () => described, run: async (url) => String((await run(url)) ?? '200') };
}

/** Sends requests for animals on a connection of their own; each must come in its turn. */
async function fetchAll(url: string, ids: readonly number[]): Promise<void> {
  const expected = ids.map(() => '200').join(' ');
  const { answers } = await sendRaw(url, { bytes: ids.map(printOne).join(''), expected });
  const told = answers.map(({ body }) => JSON.parse(body).id ?? body);
  assert.deepEqual(told, ids);
}

/** Sends a request in two parts. */
async function holdUp(url: string, number: number, pause: number): Promise<void> {
  const { hostname, port } = new URL(url);
  const request = printGet(`/v1/pets/${number}`, 'Connection: close');
  const socket = connect(Number(port), hostname);
  socket.write(request.slice(0, pause % request.length));
  await delay(pause);
  socket.write(request.slice(pause % request.length));
  assert.match(await text(socket), new RegExp(`^HTTP/1.1 200 [^]*\\{"id":${number},`));
}

/** Reads a large answer, and nothing of it for a while. */
async function readSlowly(url: string, pause: number): Promise<void> {
  const large = validAnswers.find(({ kind }) => kind === '4 MiB');
  assert(large !== undefined);
  const [name, value] = printScript(large);
  const outgoing = get(`${url}/pets`, { agent: false, headers: { ...key, [name]: value } });
  const [incoming] = await once(outgoing, 'response');
  await delay(pause);
  assert.equal((await text(incoming)).length, 4 * 1024 * 1024);
}

/** When each connection was last used, in milliseconds. */
const lastUsed = new WeakMap<object, number>();

/** A server may close a connection that has been idle for this long just when it is used again, in milliseconds. */
const IDLE = 3_500;

/** Sends a GET; again, where the server has closed an idle connection meanwhile. Source: RFC 9110 section 9.2.2 */
async function fetchOnce(address: string, agent: Agent): Promise<IncomingMessage> {
  const outgoing = get(address, { agent, headers: key });
  try {
    const [incoming] = await once(outgoing, 'response');
    const { socket } = incoming;
    incoming.once('end', () => lastUsed.set(socket, performance.now()));
    return incoming;
  } catch (error) {
    const idle = performance.now() - (lastUsed.get(outgoing.socket ?? outgoing) ?? performance.now());
    if (outgoing.reusedSocket && idle > IDLE) return fetchOnce(address, agent);
    throw new Error(`${(error as Error).message}, on a connection that was idle for ${idle.toFixed(0)} ms`);
  }
}

/** Trials by clients that mean well, and by some that leave; all that stay must get what they asked for. */
export function politeTrials(agent: Agent): fc.Arbitrary<Trial> {
  const ask = async (url: string, path: string) => {
    const incoming = await fetchOnce(`${url}${path}`, agent);
    const body = await text(incoming);
    const violations = incoming.headers['sl-violations'];
    assert.deepEqual([incoming.statusCode, violations], [200, undefined], body);
    return JSON.parse(body);
  };
  const ordinary = id.map((number) =>
    trial(ORDINARY, async (url) => assert.equal((await ask(url, `/pets/${number}`)).id, number)),
  );
  const list = fc
    .integer({ min: 1, max: 40 })
    .map((limit) =>
      trial('a list', async (url) => assert.equal((await ask(url, `/pets?limit=${limit}`)).length, limit)),
    );
  const addition = fc.nat().map((number) =>
    trial('an addition', async (url) => {
      const bytes = printPost(`{"name":"Rex ${number}","categoryId":${number}}`);
      const { answers } = await sendRaw(url, { bytes, expected: '201' });
      const { body = '{}' } = answers[0] ?? {};
      assert.equal(JSON.parse(body).name, `Rex ${number}`, body);
      return '201';
    }),
  );
  const many = fc
    .array(id, { minLength: 2, maxLength: 12 })
    .map((ids) => trial('pipelined', (url) => fetchAll(url, ids), ids.length));
  const leaving = fc.tuple(id, fc.nat(200), fc.constantFrom('destroy' as const, 'resetAndDestroy' as const));
  const left = leaving.map(([number, length, ending]) =>
    trial('a client that leaves', async (url) => {
      await sendRaw(url, {
        bytes: printOne(number)
          .repeat(2)
          .slice(0, length + 1),
        ending,
      });
      return 'gone';
    }),
  );
  const held = fc
    .tuple(id, fc.nat(1_000))
    .map(([number, pause]) => trial('a client that holds up', (url) => holdUp(url, number, pause)));
  const slow = fc.nat(1_000).map((pause) => trial('a slow reader', (url) => readSlowly(url, pause)));
  return fc.oneof(
    { weight: 600, arbitrary: ordinary },
    { weight: 150, arbitrary: list },
    { weight: 10, arbitrary: addition },
    { weight: 30, arbitrary: many },
    { weight: 50, arbitrary: left },
    { weight: 20, arbitrary: held },
    { weight: 2, arbitrary: slow },
  );
}
