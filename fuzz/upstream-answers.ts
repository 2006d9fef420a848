import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { animal } from '../bench/print-request.ts';
import { bytes } from './run-trials.ts';
import type { ScriptedAnswer } from './scripted-upstream.ts';

const json = 'Content-Type: application/json';
const list = `[${animal.replace('{', '{"id":1,')}]`;

function print(line: string, headers: readonly string[], body: string): string {
  return `${[`HTTP/1.1 ${line}`, ...headers].join('\r\n')}\r\n\r\n${body}`;
}

function printWhole(line: string, body: string, ...headers: string[]): string {
  return print(line, [json, `Content-Length: ${body.length}`, ...headers], body);
}

const ok = printWhole('200 OK', list);
const [head = ''] = ok.split('[');
const chunk = `${list.length.toString(16)}\r\n${list}\r\n`;
const chunkedHead = print('200 OK', [json, 'Transfer-Encoding: chunked'], '');
const events = chunkedHead.replace('application/json', 'text/event-stream');
const statuses = [201, 302, 401, 404, 418, 500, 503].map((status) => printWhole(`${status} x`, '{}'));
const strange = ['X: \xff', '__proto__: x', 'Set-Cookie: a=1', 'Set-Cookie: b=2', 'Connection: x, __proto__'];
const packed = { gzip: gzipSync(list), deflate: deflateSync(list), br: brotliCompressSync(list) };
const large = 'x'.repeat(4 * 1024 * 1024);

/** Responses that are valid, although few upstreams send them. */
const valid: Readonly<Record<string, readonly string[]>> = {
  'a list': [ok],
  'informational responses': [
    `${'HTTP/1.1 100 Continue\r\n\r\n'.repeat(20)}${ok}`,
    `HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n${ok}`,
  ],
  'another status': [...statuses, print('204 No Content', [], ''), print('304 Not Modified', [], '')],
  chunks: [
    `${chunkedHead}${chunk.repeat(50)}0\r\n\r\n`,
    `${chunkedHead}${chunk}0\r\nX: y\r\n__proto__: z\r\n\r\n`,
  ],
  events: [`${events}${'9\r\ndata: x\n\n\r\n'.repeat(20)}0\r\n\r\n`],
  'a content coding': [
    ...Object.entries(packed).map(([coding, body]) =>
      printWhole('200 OK', body.toString('latin1'), `Content-Encoding: ${coding}`),
    ),
    printWhole('200 OK', packed.gzip.toString('latin1').slice(0, -9), 'Content-Encoding: gzip'),
    printWhole('200 OK', list, 'Content-Encoding: gzip'),
    printWhole('200 OK', gzipSync(' '.repeat(2 ** 21)).toString('latin1'), 'Content-Encoding: gzip'),
  ],
  'strange headers': [
    printWhole('200 OK', list, ...strange, 'sl-violations: []'),
    ok.replace('application/json', `application/json${' '.repeat(3_000)}x`),
  ],
  'a large body': [printWhole('200 OK', large)],
  numbers: [printWhole('200 OK', `[${'1e399,'.repeat(1_000)}0]`)],
};

const lengths = ['5', '9999', '-1', 'x', '1\r\nContent-Length: 2', '1\r\nTransfer-Encoding: chunked'];

/** Responses that are not HTTP, or never whole. */
const broken: Readonly<Record<string, readonly string[]>> = {
  'until the end': [print('200 OK', [json], list), ok.replace('1.1', '1.0')],
  'an invalid status': ['000', '099', '600', '1000', '-1', 'abc', ''].map((status) =>
    ok.replace('200', status),
  ),
  'a control in the reason': ['\0', '\x7f', '\x1b[2J', 'a\rb', 'a\nb'].map((it) =>
    ok.replace('OK', () => it),
  ),
  'malformed headers': [
    ...['X: \0', 'no colon', ' folded', 'X: a\rb', 'bad name: x'].map((line) =>
      printWhole('200 OK', list, line),
    ),
    printWhole('200 OK', list, `X: ${'y'.repeat(17_000)}`),
  ],
  'a wrong length': lengths.map((length) => print('200 OK', [json, `Content-Length: ${length}`], list)),
  'another protocol': [print('101 Switching Protocols', ['Upgrade: x', 'Connection: Upgrade'], 'hello')],
  'two answers': [ok + ok],
  garbage: ['\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03', '', `${chunkedHead}zz\r\n${list}\r\n`],
  'a cut answer': [
    ...[head.slice(0, 30), ok.slice(0, -9), chunkedHead + chunk],
    printWhole('200 OK', large).slice(0, -9),
  ],
};

const toAnswers = (kinds: typeof valid, endings: readonly ScriptedAnswer['ending'][]) =>
  fc.constantFrom(
    ...Object.entries(kinds).flatMap(([kind, all]) =>
      all.flatMap((bytes) => endings.map((ending): ScriptedAnswer => ({ kind, bytes, ending }))),
    ),
  );

const intact = toAnswers(valid, ['keep', 'keep', 'end']);
const faulty = toAnswers(broken, ['end', 'resetAndDestroy']);
const ending = fc.constantFrom('end' as const, 'resetAndDestroy' as const);

/** At some place bytes are lost and others added. */
const changed = fc
  .tuple(fc.oneof(intact, faulty), fc.nat(300), fc.nat(300), bytes(0, 4), ending)
  .map(([{ kind, bytes }, at, lost, added, ending]): ScriptedAnswer => {
    return { kind: `${kind}, changed`, bytes: bytes.slice(0, at) + added + bytes.slice(at + lost), ending };
  });

/** Random, valid and broken responses of an upstream. */
export const upstreamAnswer: fc.Arbitrary<ScriptedAnswer> = fc.oneof(
  { weight: 2, arbitrary: intact },
  { weight: 2, arbitrary: faulty },
  { weight: 4, arbitrary: changed },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('random bytes'), bytes: bytes(1, 400), ending }) },
);

/** The answer of 4 MiB. */
export const largeAnswer: ScriptedAnswer = {
  kind: 'a large body',
  bytes: printWhole('200 OK', large),
  ending: 'keep',
};
