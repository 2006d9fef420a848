import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { get } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { printGet, printPost } from '../bench/print-request.ts';
import { sendRaw } from '../bench/send-raw.ts';
import type { Trial } from '../fuzz/run-trials.ts';
import type { ScriptedUpstream } from '../fuzz/scripted-upstream.ts';
import { largeAnswer } from '../fuzz/upstream-answers.ts';

/** Kind of the trials whose time is measured. */
export const ORDINARY = 'one animal';

/** The mock has more animals than this. */
const ANIMALS = 120;

const printOne = (id: number) => printGet(`/v1/pets/${id}`);

function trial(kind: string, value: unknown, run: Trial['run']): Trial {
  return { kind, describe: () => JSON.stringify(value), run };
}

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
async function holdUp(url: string, pause: number): Promise<void> {
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

const id = fc.integer({ min: 1, max: ANIMALS });
const pause = fc.nat(1_000);
const ending = fc.constantFrom('destroy' as const, 'resetAndDestroy' as const);

/** Trials of clients that get what they ask for, or leave early. */
export function politeTrials(upstream: ScriptedUpstream): fc.Arbitrary<Trial> {
  const one = id.map((id) => trial(ORDINARY, id, (url) => fetchAll(url, [id])));
  const many = fc
    .array(id, { minLength: 2, maxLength: 12 })
    .map((ids) => trial('pipelined', ids, (url) => fetchAll(url, ids)));
  const addition = fc.nat().map((number) => trial('an addition', number, (url) => add(url, number)));
  const leaving = fc.record({ bytes: id.map((id) => printOne(id).repeat(2)), ending });
  const left = fc
    .tuple(leaving, fc.nat(200))
    .map(([{ bytes, ending }, length]) =>
      trial('a client that leaves', length, (url) =>
        sendRaw(url, { bytes: bytes.slice(0, length + 1), ending }),
      ),
    );
  const held = pause.map((ms) => trial('a client that is slow to send', ms, (url) => holdUp(url, ms)));
  const slow = pause.map((ms) =>
    trial('a client that is slow to read', ms, (url) => readSlowly(url, ms, upstream)),
  );
  return fc.oneof(
    { weight: 700, arbitrary: one },
    { weight: 30, arbitrary: many },
    { weight: 10, arbitrary: addition },
    { weight: 50, arbitrary: left },
    { weight: 20, arbitrary: held },
    { weight: 2, arbitrary: slow },
  );
}
