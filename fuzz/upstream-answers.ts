import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { animal } from '../bench/print-request.ts';
import { bytes } from './run-trials.ts';

/** A response, whether it is HTTP or not. */
export interface ScriptedAnswer {
  /** Each character is a byte. */
  readonly bytes: string;
  /** A method of the socket, which is called afterwards. */
  readonly ending: 'keep' | 'end' | 'resetAndDestroy';
}

const json = 'Content-Type: application/json';
const list = `[${animal.replace('{', '{"id":1,')}]`;

function print(line: string, headers: readonly string[], body: string): string {
  return `${[`HTTP/1.1 ${line}`, ...headers].join('\r\n')}\r\n\r\n${body}`;
}

function printWhole(line: string, body: string, ...headers: string[]): string {
  return print(line, [json, `Content-Length: ${body.length}`, ...headers], body);
}

const ok = printWhole('200 OK', list);
const chunk = `${list.length.toString(16)}\r\n${list}\r\n`;
const chunkedHead = print('200 OK', [json, 'Transfer-Encoding: chunked'], '');
const events = chunkedHead.replace('application/json', 'text/event-stream');
const strange = ['X: \xff', '__proto__: x', 'Set-Cookie: a=1', 'Set-Cookie: b=2', 'Connection: x, __proto__'];
const large = 'x'.repeat(4 * 1024 * 1024);
const packed = gzipSync(list);

const printCoded = (coding: string, body: Buffer) =>
  printWhole('200 OK', body.toString('latin1'), `Content-Encoding: ${coding}`);

/** Responses that are valid, although few upstreams send them. */
const valid: readonly string[] = [
  ok,
  `${'HTTP/1.1 100 Continue\r\n\r\n'.repeat(20)}${ok}`,
  `HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n${ok}`,
  ...[201, 302, 401, 404, 418, 500, 503].map((status) => printWhole(`${status} x`, '{}')),
  print('204 No Content', [], ''),
  print('304 Not Modified', [], ''),
  `${chunkedHead}${chunk.repeat(50)}0\r\n\r\n`,
  `${chunkedHead}${chunk}0\r\nX: y\r\n__proto__: z\r\n\r\n`,
  `${events}${'9\r\ndata: x\n\n\r\n'.repeat(20)}0\r\n\r\n`,
  printCoded('gzip', packed),
  printCoded('deflate', deflateSync(list)),
  printCoded('br', brotliCompressSync(list)),
  printCoded('gzip', packed.subarray(0, -9)),
  printCoded('gzip', Buffer.from(list)),
  printCoded('gzip', gzipSync(' '.repeat(2 ** 21))),
  printWhole('200 OK', list, ...strange, 'sl-violations: []'),
  ok.replace('application/json', `application/json${' '.repeat(3_000)}x`),
  printWhole('200 OK', large),
  printWhole('200 OK', `[${'1e399,'.repeat(1_000)}0]`),
];

const statuses = ['000', '099', '600', '1000', '-1', 'abc', ''];
const controls = ['\0', '\x7f', '\x1b[2J', 'a\rb', 'a\nb'];
const headerLines = ['X: \0', 'no colon', ' folded', 'X: a\rb', 'bad name: x', `X: ${'y'.repeat(17_000)}`];
const lengths = ['5', '9999', '-1', 'x', '1\r\nContent-Length: 2', '1\r\nTransfer-Encoding: chunked'];

/** Responses that are not HTTP, or never whole. */
const broken: readonly string[] = [
  print('200 OK', [json], list),
  ok.replace('1.1', '1.0'),
  ...statuses.map((status) => ok.replace('200', status)),
  ...controls.map((reason) => ok.replace('OK', () => reason)),
  ...headerLines.map((line) => printWhole('200 OK', list, line)),
  ...lengths.map((length) => print('200 OK', [json, `Content-Length: ${length}`], list)),
  print('101 Switching Protocols', ['Upgrade: x', 'Connection: Upgrade'], 'hello'),
  ok + ok,
  ...['\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03', '', `${chunkedHead}zz\r\n${list}\r\n`],
  ...[ok.slice(0, 30), ok.slice(0, -9), chunkedHead + chunk, printWhole('200 OK', large).slice(0, -9)],
];

const toAnswers = (all: readonly string[], ...endings: ScriptedAnswer['ending'][]) =>
  fc.record({ bytes: fc.constantFrom(...all), ending: fc.constantFrom(...endings) });

/** At some place bytes are lost and others added. */
const changed = fc
  .tuple(toAnswers([...valid, ...broken], 'end', 'resetAndDestroy'), fc.nat(300), fc.nat(300), bytes(0, 4))
  .map(([{ bytes, ending }, at, lost, added]) => {
    return { bytes: bytes.slice(0, at) + added + bytes.slice(at + lost), ending };
  });

/** Random, valid and broken responses of an upstream. */
export const upstreamAnswer: fc.Arbitrary<ScriptedAnswer> = fc.oneof(
  { weight: 2, arbitrary: toAnswers(valid, 'keep', 'keep', 'end') },
  { weight: 2, arbitrary: toAnswers(broken, 'end', 'resetAndDestroy') },
  { weight: 4, arbitrary: changed },
  fc.record({ bytes: bytes(1, 400), ending: fc.constantFrom('end', 'resetAndDestroy') }),
);
