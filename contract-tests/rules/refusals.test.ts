import { expect, test } from 'vitest';
import { Exchange } from '../client/exchange.ts';
import { History } from '../history/history.ts';
import { createEvidence } from '../runner/judge.ts';
import { createTarget } from '../testing/run-suite.ts';
import { lookAtRefusals } from './refusals.ts';
import { isSighting } from './rule.ts';

const target = createTarget();

test.for([
  { status: 400, body: '{}', size: 2, verdict: 'right' },
  { status: 413, body: '{}', size: 2, verdict: 'wrong' },
  { status: 413, body: '{}', size: 300, verdict: 'right' },
  { status: 422, body: '{}', size: 2, verdict: 'wrong' },
  // A service may have no such category.
  { status: 422, body: '{"categoryId":1}', size: 16, verdict: 'no evidence' },
  { status: 500, body: '{"categoryId":1}', size: 16, verdict: 'wrong' },
])('$status for the invalid body $body in $size bytes is $verdict', ({ status, body, size, verdict }) => {
  const request = {
    ...{ method: 'POST', base: target.baseUrl, path: '/pets', isAuthorized: true },
    headers: { 'Content-Type': 'application/json' },
    body: body.padEnd(size),
  };
  const response = { status, headers: {}, body: Buffer.from('{}') };
  const history = new History(target, 'a mark');
  history.record(new Exchange(request, { response, failure: undefined }, target));
  const looks = lookAtRefusals(createEvidence(history), 'no name');
  const verdicts = looks.map((look) => (isSighting(look) ? 'wrong' : 'right'));
  expect(verdicts).toEqual(verdict === 'no evidence' ? [] : [verdict]);
});
