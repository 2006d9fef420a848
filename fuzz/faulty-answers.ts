import { strict as assert } from 'node:assert';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, type RequestOptions, request } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { finished } from 'node:stream/promises';
import fc from 'fast-check';
import { animal } from '../bench/print-request.ts';
import { quote, type Trial } from './run-trials.ts';
import { type ScriptedAnswer, upstreamAnswer } from './upstream-answers.ts';

/** Time that the proxy waits for the upstream, and a client for either, in milliseconds. */
export const UPSTREAM_TIMEOUT = 10_000;
const PATIENCE = 40_000;
type Received = ReturnType<typeof toReceived>;

const CONTROL = /[^\t\x20-\x7e\x80-\xff]/;

/** Headers that a proxy may change. */
const HOP =
  /^(?:connection|keep-alive|te|trailer|transfer-encoding|upgrade|proxy-.*|sl-violations|content-length)$/;

/**
 * Trials with a proxy in front of a scripted upstream. A client of the proxy must get the same answer as a client of the
 * upstream. If the upstream's answer is not whole, the proxy answers 502 or 504, or breaks off too.
 */
export function faultyAnswerTrials({ url: upstream, answers }: ScriptedUpstream): fc.Arbitrary<Trial> {
  const method = fc.constantFrom('GET', 'GET', 'HEAD', 'POST');
  return fc.tuple(method, upstreamAnswer).map(([method, chosen]) => {
    // The body after an answer to HEAD would be in the next answer on the connection.
    const answer = method === 'HEAD' ? { ...chosen, ending: 'end' as const } : chosen;
    const { bytes, ending } = answer;
    const describe = () => `${method}, answered with '${quote(bytes.slice(0, 2_000))}', then ${ending}`;
    const run = async (url: string) => {
      const script = randomUUID();
      answers.set(script, answer);
      const headers = { Authorization: 'Bearer test-key', 'X-Answer': script };
      const options = { method, agent: false, headers };
      const body = ending === 'keep' ? '' : animal;
      const [carried, direct] = await Promise.all([
        // The proxy adds violations to the headers.
        receive(`${url}/pets`, { ...options, maxHeaderSize: 65_536 }, body),
        receive(`${upstream}/pets`, options, body),
      ]);
      answers.delete(script);
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

/** Returns a response without headers that concern the connection. */
function toReceived(incoming: IncomingMessage, body: string) {
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

/** An upstream whose answers a trial chooses. */
type ScriptedUpstream = Awaited<ReturnType<typeof startScriptedUpstream>>;

/** Starts a scripted upstream. A request without the header X-Answer of an answer goes to the server at `url`. */
export async function startScriptedUpstream(url: string) {
  const sockets = new Set<Socket>();
  const answers = new Map<string, ScriptedAnswer>();
  const { hostname, port } = new URL(url);
  const server = createServer((socket) => {
    let behind: Socket | undefined;
    let isScripted = false;
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket) && behind?.destroy());
    socket.on('data', (chunk) => {
      // A proxy sends the next request when it has the answer to the last one, and the headers of each at once.
      const [head] = /^[A-Z]+ [^\r\n]* HTTP\/1\.1\r\n(?:[^\r\n]+\r\n)*/.exec(chunk.toString('latin1')) ?? [];
      const answer = answers.get(/^x-answer: (\S+)\r$/im.exec(head ?? '')?.[1] ?? '');
      if (head !== undefined) isScripted = answer !== undefined;
      if (answer !== undefined) {
        socket.write(answer.bytes, 'latin1');
        if (answer.ending !== 'keep') socket[answer.ending]();
      } else if (!isScripted) {
        behind ??= connect(Number(port), hostname, () => behind?.pipe(socket)).on('error', () =>
          socket.destroy(),
        );
        behind.write(chunk);
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const disconnect = () => {
    for (const socket of sockets) socket.destroy();
  };
  const close = async () => {
    server.close();
    disconnect();
  };
  const { port: own } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${own}/v1`, answers, disconnect, [Symbol.asyncDispose]: close };
}
