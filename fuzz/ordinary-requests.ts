import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { get } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { printGet, printPost } from '../bench/print-request.ts';
import { sendRaw } from '../bench/send-raw.ts';
import type { Trial } from './run-trials.ts';
import type { ScriptedUpstream } from './scripted-upstream.ts';
import { largeAnswer } from './upstream-answers.ts';

const printOne = (id: number) => printGet(`/v1/pets/${id}`);

/** Fetches animals on one connection; the answers must be in the order of the requests. */
async function fetchAll(url: string, ids: readonly number[]): Promise<void> {
  const expected = ids.map(() => '200').join(' ');
  const { answers } = await sendRaw(url, { bytes: ids.map(printOne).join(''), expected });
  assert.deepEqual(
    answers.map(({ status, body }) => (status === 200 ? JSON.parse(body).id : body)),
    ids,
  );
  assert(answers.every(({ headers }) => !/^sl-violations:/im.test(headers)));
}

async function add(url: string, number: number): Promise<void> {
  const bytes = printPost(`{"name":"Rex ${number}","categoryId":${number}}`);
  const { answers } = await sendRaw(url, { bytes, expected: '201' });
  assert.equal(JSON.parse(answers[0]?.body ?? '{}').name, `Rex ${number}`);
}

/** Sends a request in two parts. */
async function sendSlowly(url: string, pause: number): Promise<void> {
  const { hostname, port } = new URL(url);
  const request = printGet('/v1/pets/7', 'Connection: close');
  const socket = connect(Number(port), hostname);
  socket.write(request.slice(0, pause % request.length));
  await delay(pause);
  socket.write(request.slice(pause % request.length));
  assert.match(await text(socket), /^HTTP\/1.1 200 .*\{"id":7,/s);
}

/** Reads a large answer after a pause. */
async function readSlowly(url: string, pause: number, upstream: ScriptedUpstream): Promise<void> {
  const script = upstream.script(largeAnswer);
  const headers = { Authorization: 'Bearer test-key', ...script };
  const [incoming] = await once(get(`${url}/pets`, { agent: false, headers }), 'response');
  await delay(pause);
  assert.equal((await text(incoming)).length, 4 * 1024 * 1024);
  upstream.forget(script);
}

/** The mock has more animals than 120. */
const id = fc.integer({ min: 1, max: 120 });
const pause = fc.nat(1_000);
const leaving = fc.record({
  bytes: fc.tuple(id, fc.nat(200)).map(([id, length]) =>
    printOne(id)
      .repeat(2)
      .slice(0, length + 1),
  ),
  ending: fc.constantFrom('destroy', 'resetAndDestroy'),
});

/** Trials of clients that get what they ask for, or leave early. */
export function ordinaryTrials(upstream: ScriptedUpstream): fc.Arbitrary<Trial> {
  const trial = <T>(weight: number, kind: string, values: fc.Arbitrary<T>, run: Run<T>) => ({
    weight,
    arbitrary: values.map((value): Trial => {
      return { describe: () => `${kind} ${JSON.stringify(value)}`, run: (url) => run(url, value) };
    }),
  });
  return fc.oneof(
    trial(730, 'animals', fc.array(id, { minLength: 1, maxLength: 12 }), fetchAll),
    trial(10, 'an addition', fc.nat(), add),
    trial(50, 'a client that leaves', leaving, sendRaw),
    trial(20, 'a client that is slow to send', pause, sendSlowly),
    trial(2, 'a client that is slow to read', pause, (url, ms) => readSlowly(url, ms, upstream)),
  );
}

type Run<T> = (url: string, value: T) => Promise<unknown>;
