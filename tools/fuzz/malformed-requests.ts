import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { type Outcome, sendRaw } from '../bench/send-raw.ts';
import { type Attack, attacks, hostileValues, templates, validRequests } from './attacks.ts';
import { bytes, quote, type Trial } from './run-trials.ts';

/** Templates whose values determine where the request ends, so that the server may wait for more. */
const FRAMING = /^(request line|Content-Length|Transfer-Encoding|chunks|trailer)$/;
const PIECES = ['a', '9', '%', '/', '%2f', '[', '{"a":', '\xc3', '&limit=1', 'gzip,', 'a\r\nb: ', '\r\n'];
const valid = fc.constantFrom(...validRequests);
const any = fc.oneof(fc.constantFrom(...attacks.map((attack) => attack.bytes)), valid);

/** A value for a template: random bytes, a value of another template, or many times the same piece. */
const value = fc.oneof(
  bytes(1, 300),
  fc.constantFrom(...hostileValues),
  fc.tuple(fc.constantFrom(...PIECES), fc.nat(20_000)).map(([piece, times]) => piece.repeat(times)),
);

const print = (isFraming: boolean) => {
  const chosen = Object.entries(templates).filter(([kind]) => FRAMING.test(kind) === isFraming);
  return fc.tuple(fc.constantFrom(...chosen), value).map(([[, print], text]) => print(text));
};

const pipelined = fc
  .tuple(valid, fc.array(fc.oneof(any, bytes(1, 200)), { maxLength: 20 }))
  .map(([first, others]) => first + others.join(''));

/** At some place bytes are repeated, added and lost. */
const change = fc.tuple(fc.nat(), fc.nat(20), bytes(0, 4), fc.nat(300));

const changed = fc.tuple(any, fc.array(change, { minLength: 1, maxLength: 4 })).map(([request, changes]) =>
  changes.reduce((text, [place, copied, added, lost]) => {
    const at = place % (text.length + 1);
    return text.slice(0, at) + text.slice(at, at + copied) + added + text.slice(at + lost);
  }, request),
);

const unknown = (arbitrary: fc.Arbitrary<string>) => arbitrary.map((bytes): Partial<Attack> => ({ bytes }));

/** Requests that must be answered, and requests whose end the server may wait for. */
const owed = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<Partial<Attack>>(...attacks) },
  { weight: 4, arbitrary: unknown(print(false)) },
  { weight: 1, arbitrary: unknown(pipelined) },
);
const unowed = unknown(fc.oneof(print(true), changed, bytes(1, 400)));

const ending = fc.constantFrom('end', 'destroy', 'resetAndDestroy');

const trial = fc.oneof(
  { weight: 12, arbitrary: fc.record({ request: owed, ending: fc.constant('wait') }) },
  { weight: 4, arbitrary: fc.record({ request: unowed, ending }) },
  { weight: 1, arbitrary: fc.record({ request: owed, ending }) },
);

/** Trials with malformed requests. An attack has a known outcome; all other answers must be valid HTTP without a failure. */
export function malformedRequestTrials(server: 'mock' | 'proxy'): fc.Arbitrary<Trial> {
  return trial.map(({ request: { bytes = '', [server]: known }, ending }) => ({
    describe: () => `printf '%b' '${quote(bytes)}' | nc <host> <port>   (${ending})`,
    run: async (url) => {
      const isOwed = ending === 'wait';
      const expected = isOwed ? known : undefined;
      const outcome = await sendRaw(url, { bytes, ending, expected, lifetime: isOwed ? 60_000 : 500 });
      expectAnswers(outcome, bytes);
      assert(!isOwed || outcome.answers.length > 0, 'no answer');
      assert.equal(outcome.printed, expected ?? outcome.printed);
    },
  }));
}

function expectAnswers({ answers, rest, isCut }: Outcome, bytes: string): void {
  assert((isCut ? 'HTTP/1.1' : '').startsWith(rest.slice(0, 8)), `not valid HTTP: ${rest}`);
  for (const { status, headers, body } of answers) {
    // The headers that the mock repeats of a preflight may be too long for the proxy.
    const isTooLong = body.includes('Parse Error: Header overflow');
    const isCoded = status === 501 && bytes.includes('gzip, chunked');
    assert(status < 500 || isTooLong || isCoded, `the status ${status}, ${body}`);
    if (status < 400 || (body === '' && bytes.includes('HEAD '))) continue;
    assert.match(headers, /^content-type: application\/json\r/im);
    const { code, message, status: repeated } = JSON.parse(Buffer.from(body, 'latin1').toString());
    assert.deepEqual([typeof code, typeof message, repeated], ['string', 'string', status]);
  }
}
