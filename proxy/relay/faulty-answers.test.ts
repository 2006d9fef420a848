import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pairsOf } from '../bytes/raw-headers.ts';
import { startTestProxy } from '../testing/start-test-proxy.ts';
import { startRawUpstream } from '../testing/start-upstream.ts';

const json = 'Content-Type: application/json';
const list = '[{"id":1,"name":"Rex","categoryId":9007199254740993,"status":"sold"}]';
const large = 'x'.repeat(1024 * 1024);
const print = (line: string, headers: readonly string[], body = '') =>
  `${[`HTTP/1.1 ${line}`, ...headers].join('\r\n')}\r\n\r\n${body}`;
const printWhole = (line: string, body = list, ...headers: string[]) =>
  print(line, [json, `Content-Length: ${body.length}`, ...headers], body);
const printCoded = (coding: string, body: Buffer) =>
  printWhole('200 OK', body.toString('latin1'), `Content-Encoding: ${coding}`);

const ok = printWhole('200 OK');
const chunk = `${list.length.toString(16)}\r\n${list}\r\n`;
const chunked = print('200 OK', [json, 'Transfer-Encoding: chunked']);
const events = chunked.replace('application/json', 'text/event-stream');
const odd = ['X: \xff', '__proto__: x', 'Set-Cookie: a=1', 'Set-Cookie: b=2', 'Connection: x, __proto__'];
const packed = gzipSync(list);

/** Responses that are valid, although few upstreams send them. Each character is a byte. */
const valid: readonly string[] = [
  ...[ok, `${'HTTP/1.1 100 Continue\r\n\r\n'.repeat(20)}${ok}`, `HTTP/1.1 103 x\r\nLink: <x>\r\n\r\n${ok}`],
  ...[201, 302, 401, 404, 418, 500, 503].map((status) => printWhole(`${status} x`, '{}')),
  ...[print('204 No Content', []), print('304 Not Modified', []), printWhole('200 OK', large)],
  ...[`${chunked}${chunk.repeat(50)}0\r\n\r\n`, `${chunked}${chunk}0\r\nX: y\r\n__proto__: z\r\n\r\n`],
  `${events}${'9\r\ndata: x\n\n\r\n'.repeat(20)}0\r\n\r\n`,
  ...[printCoded('gzip', packed), printCoded('deflate', deflateSync(list))],
  ...[printCoded('br', brotliCompressSync(list)), printCoded('gzip', packed.subarray(0, -9))],
  ...[printCoded('gzip', Buffer.from(list)), printCoded('gzip', gzipSync(' '.repeat(2 ** 21)))],
  printWhole('200 OK', list, ...odd),
  printWhole('200 OK', list, `X: ${'y'.repeat(17_000)}`),
  printWhole('200 OK', `[${'1e399,'.repeat(1_000)}0]`),
  ok.replace('application/json', `application/json${' '.repeat(3_000)}x`),
];

const headers = ['X: \0', 'no colon', ' folded', 'X: a\rb', 'bad name: x', `X: ${'y'.repeat(300_000)}`];
const lengths = ['5', '9999', '-1', 'x', '1\r\nContent-Length: 2', '1\r\nTransfer-Encoding: chunked'];

/** Responses that are not HTTP, or never whole. */
const broken: readonly string[] = [
  ...[print('200 OK', [json], list), ok.replace('1.1', '1.0'), ok + ok, '', '\x16\x03\x01\x02\0\x01\0'],
  ...['000', '099', '600', '1000', '-1', 'abc', ''].map((status) => ok.replace('200', status)),
  ...['\0', '\x7f', '\x1b[2J', 'a\rb', 'a\nb'].map((reason) => ok.replace('OK', () => reason)),
  ...headers.map((line) => printWhole('200 OK', list, line)),
  ...['gzip, chunked', 'chunked, gzip', 'xchunked'].map((coding) =>
    print('200 OK', [json, `Transfer-Encoding: ${coding}`], chunk),
  ),
  ...lengths.map((length) => print('200 OK', [json, `Content-Length: ${length}`], list)),
  print('101 Switching Protocols', ['Upgrade: x', 'Connection: Upgrade'], 'hello'),
  ...[`${chunked}zz\r\n${list}\r\n`, chunked + chunk, ok.slice(0, 30), ok.slice(0, -9)],
  printWhole('200 OK', large).slice(0, -9),
];

const bytes = (maxLength: number) =>
  fc.uint8Array({ maxLength }).map((array) => Buffer.from(array).toString('latin1'));
/** At some place bytes are lost and others added. */
const changed = fc
  .tuple(fc.constantFrom(...valid, ...broken), fc.nat(300), fc.nat(300), bytes(4))
  .map(([text, at, lost, added]) => text.slice(0, at) + added + text.slice(at + lost));

/** Headers that a proxy may change. */
const own = /^(?:connection|keep-alive|te|trailer|transfer-encoding|upgrade|proxy-.*|sl-.*|content-length)$/i;

/** Returns a response without headers that concern the connection, and its transfer coding; undefined if it is not whole. */
async function receive(url: string, method: string) {
  let incoming: IncomingMessage | undefined;
  const chunks: Buffer[] = [];
  const outgoing = request(`${url}/pets`, { method, agent: false, maxHeaderSize: 262_144 }, (response) => {
    incoming = response.on('data', (part) => chunks.push(part)).on('error', () => {});
  });
  await once(outgoing.on('error', () => {}).end(), 'close').catch(() => {});
  if (!incoming?.complete) return undefined;
  const { statusCode: status, statusMessage: reason, rawHeaders, headers } = incoming;
  const named = `${headers.connection}`.toLowerCase().split(/\s*,\s*/);
  const isKept = ([name = '']: readonly string[]) => !own.test(name) && !named.includes(name.toLowerCase());
  const body = Buffer.concat(chunks).toString('latin1');
  const response = { status, reason, headers: pairsOf(rawHeaders).filter(isKept), body };
  return { response, coding: headers['transfer-encoding'] };
}

const refused = expect.stringContaining('upstream_failed');

test('a response of the upstream arrives as it was sent, or is a 502, or is broken off too', async () => {
  let sent = '';
  const upstream = await startRawUpstream((socket) => void socket.end(sent, 'latin1'));
  const { url } = await startTestProxy(upstream, { timeout: 5_000 });
  const countSockets = () =>
    process.getActiveResourcesInfo().filter((name) => name.startsWith('TCPS')).length;
  const before = countSockets();
  const check = async (text: string, method = 'GET') => {
    sent = text;
    const [direct, carried] = [await receive(upstream, method), await receive(url, method)];
    const { response: { status, reason } = {}, coding } = direct ?? {};
    const isValid = /^[2-5]\d\d [\t\x20-\x7e\x80-\xff]*$/.test(`${status} ${reason}`);
    // Chunks are the only transfer coding that the proxy forwards.
    const isForwarded = isValid && /^(?:chunked|identity)?$/i.test(coding ?? '');
    if (isForwarded) expect(carried?.response).toEqual(direct?.response);
    else if (carried) expect(carried.response).toMatchObject({ status: 502, body: refused });
  };
  for (const text of [...valid, ...broken]) await check(text);
  for (const method of ['HEAD', 'POST']) for (const text of valid) await check(text, method);
  const property = fc.asyncProperty(fc.oneof(changed, bytes(400)), (text) => check(text));
  await fc.assert(property, { numRuns: 30 });
  await expect.poll(countSockets).toBeLessThanOrEqual(before);
});
