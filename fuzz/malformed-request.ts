import fc from 'fast-check';
import { attacks, hostileValues } from './attacks.ts';
import { templates, validRequests } from './print-request.ts';
import type { Ending } from './send-raw.ts';

/** A request that no proper client would send, and how its connection is treated. */
export interface MalformedRequest {
  readonly kind: string;
  /** All of the request, or its beginning; each character stands for a byte. */
  readonly bytes: string;
  readonly ending: Ending;
  /** Whether it must be answered: not where the server must take more to be coming. */
  readonly isOwed: boolean;
  /** What must come back exactly, from the mock and through the proxy. */
  readonly expected?: { readonly mock: string; readonly proxy: string };
}

type Damage = Pick<MalformedRequest, 'kind' | 'bytes' | 'expected'>;

/** Templates whose values say how long the request is, so that the server may wait for more. */
const FRAMING = /^(request line|Content-Length|Transfer-Encoding|chunks|trailer)$/;

const PIECES = ['a', '9', '%', '/', '%2f', '[', '{"a":', '\xc3', '&limit=1', 'gzip,', 'a\r\nb: ', '\r\n'];

/** How a text is changed at a place, as a slip or a bug would. */
const changes: readonly ((text: string, at: number, size: number, bytes: string) => string)[] = [
  (text, at, size) => splice(text, at, 1, String.fromCharCode(text.charCodeAt(at) ^ (1 << (size % 8)))),
  (text, at, size) => splice(text, at, size, ''),
  (text, at, size) => splice(text, at, 0, text.slice(at, at + size)),
  (text, at, _size, bytes) => splice(text, at, 0, bytes),
];

function splice(text: string, at: number, removed: number, added: string): string {
  return text.slice(0, at) + added + text.slice(at + removed);
}

function bytes(minLength: number, maxLength: number): fc.Arbitrary<string> {
  return fc.uint8Array({ minLength, maxLength }).map((array) => Buffer.from(array).toString('latin1'));
}

const attack = fc.constantFrom(...attacks);
const validRequest = fc.constantFrom(...validRequests);
const anyRequest = fc.oneof(
  validRequest,
  attack.map((one) => one.bytes),
);

/** What is put into a template: random bytes, what was made for another template, or a piece many times. */
const value = fc.oneof(
  bytes(1, 300),
  fc.constantFrom(...hostileValues),
  fc.tuple(fc.constantFrom(...PIECES), fc.nat(20_000)).map(([piece, times]) => piece.repeat(times)),
);

const filled = (isFraming: boolean): fc.Arbitrary<Damage> => {
  const chosen = Object.entries(templates).filter(([kind]) => FRAMING.test(kind) === isFraming);
  return fc
    .tuple(fc.constantFrom(...chosen), value)
    .map(([[kind, print], text]) => ({ kind: `${kind}, made up`, bytes: print(text) }));
};

// Node 24 puts the 100 of a request that waits for its turn between the head and the body of its answer.
const behind = fc.oneof(anyRequest, bytes(1, 200)).filter((text) => !/100-continue/i.test(text));

const pipelined: fc.Arbitrary<Damage> = fc
  .tuple(validRequest, fc.array(behind, { maxLength: 20 }))
  .map(([first, others]) => ({ kind: 'pipelined', bytes: first + others.join('') }));

const change = fc.tuple(fc.constantFrom(...changes), fc.nat(), fc.integer({ min: 1, max: 20 }), bytes(1, 4));
const changed: fc.Arbitrary<Damage> = fc
  .tuple(anyRequest, fc.array(change, { minLength: 1, maxLength: 4 }))
  .map(([request, list]) => ({
    kind: 'changed',
    bytes: list.reduce((text, [apply, at, ...rest]) => apply(text, at % text.length, ...rest), request),
  }));

const cut: fc.Arbitrary<Damage> = fc
  .tuple(anyRequest, fc.nat())
  .map(([request, at]) => ({ kind: 'cut', bytes: request.slice(0, at % request.length) }));

const known: fc.Arbitrary<Damage> = attack.map(({ kind, bytes, answers, throughProxy }) => ({
  kind,
  bytes,
  expected: { mock: answers, proxy: throughProxy },
}));

const randomBytes: fc.Arbitrary<Damage> = bytes(1, 400).map((text) => ({
  kind: 'random bytes',
  bytes: text,
}));

/** To wait in vain takes as long as a connection may last, so that it happens seldom. */
const endings = (isOwed: boolean): fc.Arbitrary<Ending> => {
  const weights = isOwed ? [16, 2, 1, 1] : [1, 24, 12, 1];
  const all = ['wait', 'half-close', 'destroy', 'reset'] as const;
  return fc.oneof(
    ...all.map((ending, index) => ({ weight: weights[index] ?? 0, arbitrary: fc.constant(ending) })),
  );
};

const send = (isOwed: boolean, damage: fc.Arbitrary<Damage>): fc.Arbitrary<MalformedRequest> =>
  fc
    .tuple(damage, endings(isOwed))
    .map(([one, ending]) => ({ ...one, ending, isOwed: isOwed && ending === 'wait' }));

/** Attacks, and made-up damage to them and to valid requests. */
export const malformedRequest: fc.Arbitrary<MalformedRequest> = fc.oneof(
  { weight: 8, arbitrary: send(true, fc.oneof(known, filled(false), pipelined)) },
  { weight: 3, arbitrary: send(false, fc.oneof(filled(true), changed, cut, randomBytes)) },
);
