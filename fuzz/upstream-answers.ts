import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { animal } from '../bench/print-request.ts';
import type { ScriptedAnswer } from './scripted-upstream.ts';

/** How often something is written that has no end. */
const FOR_EVER = 1e9;

const json = 'Content-Type: application/json';
const list = `[${animal.replace('{', '{"id":1,')}]`;

function printAnswer(line: string, headers: readonly string[], body: string): string {
  return `${[`HTTP/1.1 ${line}`, ...headers].join('\r\n')}\r\n\r\n${body}`;
}

function printWhole(line: string, body: string, ...headers: string[]): string {
  return printAnswer(line, [json, `Content-Length: ${body.length}`, ...headers], body);
}

/** An answer that is written at once, on a connection that stays. */
export function script(kind: string, bytes: string, changes: Partial<ScriptedAnswer> = {}): ScriptedAnswer {
  return { kind, parts: [[bytes, 1]], pause: 0, ending: 'keep', ...changes };
}

const ok = printWhole('200 OK', list);
const [head = ''] = ok.split('[');
const chunk = `${list.length.toString(16)}\r\n${list}\r\n`;
const chunkedHead = printAnswer('200 OK', [json, 'Transfer-Encoding: chunked'], '');
const events = printAnswer('200 OK', ['Content-Type: text/event-stream', 'Transfer-Encoding: chunked'], '');
const packed = { gzip: gzipSync(list), deflate: deflateSync(list), br: brotliCompressSync(list) };
const bomb = gzipSync(' '.repeat(2 * 1024 * 1024)).toString('latin1');

/** Answers that are HTTP, though few upstreams give them. */
export const validAnswers: readonly ScriptedAnswer[] = [
  script('a list', ok),
  script('an answer in 30 parts', '', {
    parts: [[head, 1], ...[...list].slice(0, 30).map((char) => [char, 1] as const), [list.slice(30), 1]],
    pause: 1,
  }),
  script('20 times 100', '', {
    parts: [
      ['HTTP/1.1 100 Continue\r\n\r\n', 20],
      [ok, 1],
    ],
  }),
  script('103 with links', `HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n${ok}`),
  ...[
    '201 Created',
    '204 No Content',
    '302 Found',
    '304 Not Modified',
    '401 x',
    '404 x',
    '418 x',
    '500 x',
    '503 x',
  ].map((line) =>
    script('another status', /^(204|304)/.test(line) ? printAnswer(line, [], '') : printWhole(line, '{}')),
  ),
  script('chunks', `${chunkedHead}${chunk.repeat(50)}0\r\n\r\n`),
  script('chunks with trailers', `${chunkedHead}${chunk}0\r\nX: y\r\n__proto__: z\r\n\r\n`),
  script('until the end', printAnswer('200 OK', [json], list), { ending: 'end' }),
  script('HTTP/1.0', ok.replace('1.1', '1.0'), { ending: 'end' }),
  script('4 MiB', '', {
    parts: [
      [printAnswer('200 OK', [json, `Content-Length: ${64 * 65_536}`], ''), 1],
      ['xxxxxxxx', 524_288],
    ],
  }),
  script('events', '', {
    parts: [
      [events, 1],
      ['9\r\ndata: x\n\n\r\n', 20],
      ['0\r\n\r\n', 1],
    ],
    pause: 1,
  }),
  ...Object.entries(packed).map(([coding, bytes]) =>
    script('a coding', printWhole('200 OK', bytes.toString('latin1'), `Content-Encoding: ${coding}`)),
  ),
  script(
    'a cut coding',
    printWhole('200 OK', packed.gzip.subarray(0, -9).toString('latin1'), 'Content-Encoding: gzip'),
  ),
  script('a coding that is not there', printWhole('200 OK', list, 'Content-Encoding: gzip')),
  script('1.5 MiB in gzip', printWhole('200 OK', bomb.slice(0, 1_500), 'Content-Encoding: gzip')),
  script(
    'strange headers',
    printWhole(
      '200 OK',
      list,
      'X: \xff',
      '__proto__: x',
      'Set-Cookie: a=1',
      'Set-Cookie: b=2',
      'Connection: x, __proto__',
      'sl-violations: []',
    ),
  ),
  script(
    'another media type',
    printWhole('200 OK', list).replace('application/json', `application/json${' '.repeat(3_000)}x`),
  ),
  script('numbers', printWhole('200 OK', `[${'1e399,'.repeat(1_000)}0]`)),
];

/** Answers that are none of HTTP, or never whole. */
export const brokenAnswers: readonly ScriptedAnswer[] = [
  ...['000', '099', '600', '999', '1000', '-1', 'abc', ''].map((status) =>
    script('a status of none', ok.replace('200', status), { ending: 'end' }),
  ),
  ...['\0', '\x01', '\x7f', '\x0b', '\x1b[2J', 'a\rb', 'a\nb'].map((reason) =>
    script(
      'a control in the reason',
      ok.replace('OK', () => reason),
      { ending: 'end' },
    ),
  ),
  ...['X: \0', 'no colon', ' folded', 'X: a\rb', 'bad name: x'].map((line) =>
    script('a malformed head', printWhole('200 OK', list, line), { ending: 'end' }),
  ),
  ...['5', '9999', '-1', 'x', `1\r\nContent-Length: 2`, `1\r\nTransfer-Encoding: chunked`].map((length) =>
    script('a wrong length', printAnswer('200 OK', [json, `Content-Length: ${length}`], list), {
      ending: 'end',
    }),
  ),
  script('a head above 16 KiB', '', {
    parts: [
      ['HTTP/1.1 200 OK\r\nX: ', 1],
      ['y', 17_000],
      [`\r\n${head.slice(17)}${list}`, 1],
    ],
  }),
  script('101', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nhello', {
    ending: 'end',
  }),
  script('two answers', ok + ok, { ending: 'end' }),
  script('garbage', '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03', { ending: 'end' }),
  script('nothing', '', { parts: [], ending: 'end' }),
  ...(['end', 'resetAndDestroy'] as const).flatMap((ending) => [
    script('a reset', '', { parts: [], ending }),
    script('a cut head', head.slice(0, 30), { ending }),
    script('a cut body', ok.slice(0, -9), { ending }),
    script('cut chunks', chunkedHead + chunk, { ending }),
    script('a cut large body', '', {
      parts: [
        [printAnswer('200 OK', [json, 'Content-Length: 9999999'], ''), 1],
        ['xxxxxxxx', 409_600],
      ],
      ending,
    }),
  ]),
  script('malformed chunks', `${chunkedHead}zz\r\n${list}\r\n`, { ending: 'end' }),
];

/** Answers that come too late, or never. */
export const lateAnswers: readonly ScriptedAnswer[] = [
  script('late: silence', '', { parts: [] }),
  script('late: half a head', head.slice(0, 30)),
  script('late: half a body', ok.slice(0, -9)),
  script('late: a head that drips', '', {
    parts: [
      ['HTTP/1.1 200 OK\r\n', 1],
      ['X: y\r\n', FOR_EVER],
    ],
    pause: 20,
  }),
  script('late: 100 for ever', '', { parts: [['HTTP/1.1 100 Continue\r\n\r\n', FOR_EVER]], pause: 20 }),
  script('late: events that stop', `${events}9\r\ndata: x\n\n\r\n`),
];
