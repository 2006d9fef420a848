import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { type Outcome, type RawRequest, sendRaw } from '../bench/send-raw.ts';
import { type Attack, attacks, hostileValues, templates, validRequests } from './attacks.ts';
import { costlyRequests } from './costly-requests.ts';
import { printNetcat, type Trial } from './run-fuzz.ts';

type Damage = Pick<Attack, 'kind' | 'bytes'> & Partial<Attack>;

/** A request that no proper client would send, and how its connection is treated. */
interface MalformedRequest extends Damage, Required<Pick<RawRequest, 'ending'>> {
  /** Whether it must be answered: not where the server must take more to be coming. */
  readonly isOwed: boolean;
}

/** Templates whose values say how long the request is, so that the server may wait for more. */
const FRAMING = /^(request line|Content-Length|Transfer-Encoding|chunks|trailer)$/;

const PIECES = ['a', '9', '%', '/', '%2f', '[', '{"a":', '\xc3', '&limit=1', 'gzip,', 'a\r\nb: ', '\r\n'];

function bytes(minLength: number, maxLength: number): fc.Arbitrary<string> {
  return fc.uint8Array({ minLength, maxLength }).map((array) => Buffer.from(array).toString('latin1'));
}

const attack = fc.constantFrom<Damage[]>(...attacks);
const validRequest = fc.constantFrom(...validRequests);
const anyRequest = fc.oneof(fc.constantFrom(...attacks.map((one) => one.bytes)), validRequest);

/** What is put into a template: random bytes, what was made for another template, or a piece many times. */
const value = fc.oneof(
  bytes(1, 300),
  fc.constantFrom(...hostileValues),
  fc.tuple(fc.constantFrom(...PIECES), fc.nat(20_000)).map(([piece, times]) => piece.repeat(times)),
);

function filled(isFraming: boolean): fc.Arbitrary<Damage> {
  const chosen = Object.entries(templates).filter(([kind]) => FRAMING.test(kind) === isFraming);
  const choice = fc.constantFrom(...chosen);
  return fc
    .tuple(choice, value)
    .map(([[kind, print], text]) => ({ kind: `${kind}, made up`, bytes: print(text) }));
}

const behind = fc.oneof(anyRequest, bytes(1, 200));

const pipelined = fc
  .tuple(validRequest, fc.array(behind, { maxLength: 20 }))
  .map(([first, others]): Damage => ({ kind: 'pipelined', bytes: first + others.join('') }));

/** At some place a few bytes are said twice, some are put in, and some are lost. */
const change = fc.tuple(fc.nat(), fc.nat(20), bytes(0, 4), fc.nat(8));

const changed = fc
  .tuple(anyRequest, fc.array(change, { minLength: 1, maxLength: 4 }))
  .map(([request, changes]): Damage => ({ kind: 'changed', bytes: changes.reduce(applyChange, request) }));

function applyChange(text: string, [place, copied, added, lost]: [number, number, string, number]): string {
  const at = place % (text.length + 1);
  return text.slice(0, at) + text.slice(at, at + copied) + added + text.slice(at + lost);
}

const cut = fc
  .tuple(anyRequest, fc.nat())
  .map(([request, at]): Damage => ({ kind: 'cut', bytes: request.slice(0, at % request.length) }));

const random = fc.record({ kind: fc.constant('random bytes'), bytes: bytes(1, 400) });

/** To wait in vain takes as long as a connection may last, so that it happens seldom. */
function send(isOwed: boolean, ...damages: fc.Arbitrary<Damage>[]): fc.Arbitrary<MalformedRequest> {
  const weights = isOwed ? [16, 2, 1, 1] : [1, 24, 12, 1];
  const endings = (['wait', 'end', 'destroy', 'resetAndDestroy'] as const).map((one, index) => ({
    weight: weights[index] ?? 0,
    arbitrary: fc.constant(one),
  }));
  return fc
    .tuple(fc.oneof(...damages), fc.oneof(...endings))
    .map(([damage, ending]) => ({ ...damage, ending, isOwed: isOwed && ending === 'wait' }));
}

const costly = fc.constantFrom(...costlyRequests).map((bytes): Damage => ({ kind: 'costly', bytes }));

/** Attacks, and made-up damage to them and to valid requests; costly ones are few, since each is a MiB. */
const malformedRequest = fc.oneof(
  { weight: 2, arbitrary: send(true, costly) },
  { weight: 800, arbitrary: send(true, attack, filled(false)) },
  { weight: 100, arbitrary: send(true, pipelined) },
  { weight: 300, arbitrary: send(false, filled(true), changed, cut, random) },
);

/** How long a connection may last, in milliseconds: where an answer is owed, and where none is. */
const [OWED, UNOWED] = [60_000, 500];

/** Trials of a server by malformed requests, which must be answered as the attacks say, and otherwise at least in HTTP. */
export function malformedRequestTrials(server: 'mock' | 'proxy'): fc.Arbitrary<Trial> {
  return malformedRequest.map((request) => ({
    kind: request.kind,
    describe: () => printNetcat(request),
    run: async (url) => {
      const expected = request.isOwed ? request[server] : undefined;
      const outcome = await sendRaw(url, { ...request, expected, lifetime: request.isOwed ? OWED : UNOWED });
      expectOutcome(outcome, request, expected);
      return String(outcome.answers[0]?.status ?? 'no answer');
    },
  }));
}

/** @throws Error for what no server may do, and for any other outcome than is expected, if one is. */
function expectOutcome(outcome: Outcome, { bytes, isOwed }: MalformedRequest, expected?: string): void {
  const { answers, rest, printed, isCut } = outcome;
  assert((isCut ? 'HTTP/1.1' : '').startsWith(rest.slice(0, 8)), `not valid HTTP: ${rest}`);
  for (const { status, headers, body } of answers) {
    // What the mock repeats of a preflight may be more than a proxy takes.
    const isTooLong = body.includes('Parse Error: Header overflow');
    assert(status < 500 || isTooLong, `the status ${status}, ${body}`);
    if (status < 400 || (body === '' && bytes.includes('HEAD '))) continue;
    assert.match(headers, /^content-type: application\/json\r/im);
    const { code, message, status: repeated } = JSON.parse(Buffer.from(body, 'latin1').toString());
    assert.deepEqual([typeof code, typeof message, repeated], ['string', 'string', status]);
  }
  assert(!isOwed || answers.length > 0, 'no answer');
  assert.equal(printed, expected ?? printed);
}
