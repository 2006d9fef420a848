import { expect, test } from 'vitest';
import { describeFailures } from '../reporters/describe-failures.ts';
import { sampleFailures } from '../testing/sample-failures.ts';
import type { Failure } from './failure.ts';
import { identifyFailure } from './identify-failure.ts';
import { redactFailure } from './redact-failure.ts';

const failures: readonly Failure[] = Object.values(sampleFailures);

test('a key that is also a word of the suite changes neither the kind nor the identity of a failure', () => {
  const words = [
    'member',
    'list',
    'pets',
    'page',
    'status',
    'body',
    'in the list',
    'GET',
    'twice',
    'invalid',
  ];
  const hide = (text: string) => words.reduce((hidden, word) => hidden.replaceAll(word, '[key]'), text);
  const redacted = failures.map((failure) => redactFailure(failure, hide));
  expect(redacted.map(identifyFailure)).toEqual(failures.map(identifyFailure));
});

test('what a deployment has sent is redacted in each kind of failure', () => {
  const sent = [
    '{"name":1}',
    '"Zoë"',
    '"Zoe"',
    '{"code":1}',
    'No "pets"',
    '"B"',
    'text/html',
    '418',
    'socket',
  ];
  const hide = (text: string) => sent.reduce((hidden, one) => hidden.replaceAll(one, '[key]'), text);
  for (const failure of failures) {
    const text = JSON.stringify(redactFailure(failure, hide));
    expect([failure.kind, sent.filter((one) => text.includes(JSON.stringify(one).slice(1, -1)))]).toEqual([
      failure.kind,
      [],
    ]);
    expect(describeFailures([redactFailure(failure, hide)]).expected).not.toBe('');
  }
});
