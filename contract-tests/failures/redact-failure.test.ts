import { expect, test } from 'vitest';
import { Keys } from '../../common/text/redact.ts';
import { describeFailures } from '../reporters/describe-failures.ts';
import { sampleFailures } from '../testing/sample-failures.ts';
import type { Failure, FailureOf, FaultKind, RequestSubject } from './failure.ts';
import { faultKinds, identifyFailure } from './identify-failure.ts';
import { redactFailure } from './redact-failure.ts';

const KEY = '[key]';

const failures: readonly Failure[] = Object.values(sampleFailures);

test('a key that is also a word of the suite changes neither the kind nor the identity of a failure', () => {
  const words = ['member', 'list', 'pets', 'page', 'status', 'body', 'in the list', 'twice', 'invalid'];
  const all = failures.map((failure) => redactFailure(failure, new Keys(words)));
  expect(all.map(identifyFailure)).toEqual(failures.map(identifyFailure));
});

/** What is redacted of the failure of each kind, next to what the deployment said. */
const redacted: { readonly [Kind in FaultKind]: Partial<FailureOf<Kind>> } = {
  status: { request: { what: 'body', body: KEY } },
  'server fault': { otherwise: [KEY], words: KEY },
  body: {
    problem: {
      is: 'invalid',
      schema: 'Error',
      member: 'code',
      pointer: '/code',
      rule: 'must be string',
      value: KEY,
    },
    body: KEY,
  },
  'error status': { received: KEY },
  header: { received: KEY },
  'byte order mark': {},
  member: { expected: KEY, received: KEY, id: KEY },
  'hidden member': { id: KEY },
  filter: { expected: KEY, received: KEY, id: KEY },
  count: {},
  missing: { id: KEY },
  'two lists': { id: KEY, values: [KEY, KEY] },
  id: { received: KEY },
  duplicate: { ids: [KEY, KEY] },
  'mixed up': { expected: KEY, received: KEY },
  added: { id: KEY, name: KEY },
};

/** Takes any text for a key, because most values of the samples are shorter than a key. */
class EveryText extends Keys {
  override redactText(): string {
    return KEY;
  }
}

const everyText = new EveryText();

test.for(faultKinds)(
  'of a failure of the kind %s all that was sent is redacted, and nothing else',
  (kind) => {
    const failure: Failure = sampleFailures[kind];
    const { said, noResponse } = failure;
    expect(redactFailure(failure, everyText)).toEqual({
      ...failure,
      ...redacted[kind],
      ...(said !== undefined && { said: KEY }),
      ...(noResponse !== undefined && { noResponse: KEY }),
    });
    expect(describeFailures([redactFailure(failure, everyText)]).expected).not.toBe('');
  },
);

test.for<[request: RequestSubject, redacted: RequestSubject]>([
  [
    { what: 'member', member: 'status', value: '"gone"', accepted: ['"sold"'] },
    { what: 'member', member: 'status', value: KEY, accepted: [KEY] },
  ],
  [
    { what: 'animal', id: '7', seen: 'added' },
    { what: 'animal', id: KEY, seen: 'added' },
  ],
  [
    { what: 'media type', mediaType: 'a/b' },
    { what: 'media type', mediaType: KEY },
  ],
])('of the request %j what was sent is redacted', ([request, expected]) => {
  const failure = redactFailure({ ...sampleFailures.status, request }, everyText);
  expect(failure).toEqual({ ...sampleFailures.status, request: expected });
});

test('an id or a value of an expected animal is redacted, and an unknown id is none', () => {
  const twice = { ...sampleFailures.id, expected: '8' };
  expect(redactFailure(twice, everyText)).toEqual({ ...twice, expected: KEY, received: KEY });
  const has = [{ member: 'status', value: 'sold' }];
  const without = { ...sampleFailures.missing, id: undefined, has };
  expect(redactFailure(without, everyText)).toEqual({ ...without, has: [{ member: 'status', value: KEY }] });
});
