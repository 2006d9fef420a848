import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { type IncomingMessage, type RequestOptions, request } from 'node:http';
import { finished } from 'node:stream/promises';
import fc from 'fast-check';
import { animal } from '../bench/print-request.ts';
import { quote, type Trial } from './run-trials.ts';
import type { ScriptedUpstream } from './scripted-upstream.ts';
import { upstreamAnswer } from './upstream-answers.ts';

/** Time that the proxy waits for the upstream, and a client for either, in milliseconds. */
export const UPSTREAM_TIMEOUT = 10_000;
const PATIENCE = 40_000;

interface Received {
  readonly status: number;
  readonly reason: string;
  /** Without headers that concern the connection. */
  readonly headers: readonly string[];
  readonly body: string;
  readonly isWhole: boolean;
}

const CONTROL = /[^\t\x20-\x7e\x80-\xff]/;

/** Headers that a proxy may change. */
const HOP =
  /^(?:connection|keep-alive|te|trailer|transfer-encoding|upgrade|proxy-.*|sl-violations|content-length)$/;

/**
 * Trials with a proxy in front of a scripted upstream. A client of the proxy must get the same answer as a client of the
 * upstream. If the upstream's answer is not whole, the proxy answers 502 or 504, or breaks off too.
 */
export function faultyAnswerTrials(upstream: ScriptedUpstream): fc.Arbitrary<Trial> {
  const method = fc.constantFrom('GET', 'GET', 'HEAD', 'POST');
  return fc.tuple(method, upstreamAnswer).map(([method, chosen]) => {
    // The body after an answer to HEAD would be in the next answer on the connection.
    const answer = method === 'HEAD' ? { ...chosen, ending: 'end' as const } : chosen;
    const { bytes, ending } = answer;
    const describe = () => `${method}, answered with '${quote(bytes.slice(0, 2_000))}', then ${ending}`;
    const run = async (url: string) => {
      const script = upstream.script(answer);
      const options = { method, agent: false, headers: { Authorization: 'Bearer test-key', ...script } };
      const body = ending === 'keep' ? '' : animal;
      const [carried, direct] = await Promise.all([
        // The proxy adds violations to the headers.
        receive(`${url}/pets`, { ...options, maxHeaderSize: 65_536 }, body),
        receive(`${upstream.url}/pets`, options, body),
      ]);
      upstream.forget(script);
      assert(carried !== undefined, 'no answer');
      // A reset may overtake the answer.
      if (ending !== 'resetAndDestroy') expectSame(carried, direct);
    };
    return { describe, run };
  });
}

function expectSame(carried: Received, direct: Received | undefined): void {
  if (direct?.isWhole && /^[2-5]\d\d$/.test(`${direct.status}`) && !CONTROL.test(direct.reason)) {
    assert.deepEqual(carried, direct);
  } else if (carried.isWhole) {
    const { status, body } = carried;
    assert(status === 502 || status === 504, `the status ${status}`);
    assert.match(body || 'upstream_failed', /upstream_failed|upstream_timeout/);
  }
}

/** @returns undefined if there are no headers of an answer. */
async function receive(url: string, options: RequestOptions, body: string): Promise<Received | undefined> {
  const framing = body === '' ? {} : { 'Content-Type': 'application/json', 'Content-Length': body.length };
  const headers = { ...(options.headers as object), ...framing };
  const outgoing = request(url, { ...options, headers, signal: AbortSignal.timeout(PATIENCE) }).end(body);
  try {
    const closed = once(outgoing, 'close').then(() => []);
    const [incoming] = (await Promise.race([once(outgoing, 'response'), closed])) as [IncomingMessage?];
    if (incoming === undefined) return undefined;
    let read = '';
    incoming.setEncoding('latin1').on('data', (part) => {
      read += part;
    });
    await finished(incoming).catch(() => {});
    return toReceived(incoming, read);
  } catch {
    return undefined;
  }
}

function toReceived(incoming: IncomingMessage, body: string): Received {
  const { statusCode: status = 0, statusMessage: reason = '', rawHeaders, complete: isWhole } = incoming;
  const named = String(incoming.headers.connection)
    .toLowerCase()
    .split(/\s*,\s*/);
  const headers = rawHeaders.flatMap((name, index) => {
    const isDropped = HOP.test(name.toLowerCase()) || named.includes(name.toLowerCase());
    return index % 2 === 0 && !isDropped ? [name, rawHeaders[index + 1] ?? ''] : [];
  });
  return { status, reason, headers, body, isWhole };
}
