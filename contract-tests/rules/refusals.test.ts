import { expect, test } from 'vitest';
import { Exchange } from '../client/exchange.ts';
import { History } from '../history/history.ts';
import { createEvidence } from '../runner/judge.ts';
import { createTarget } from '../testing/run-suite.ts';
import { lookAtRefusals } from './refusals.ts';
import { isSighting } from './rule.ts';

const target = createTarget();

test.for([
  { status: 400, size: 2, isRight: true },
  { status: 413, size: 2, isRight: false },
  { status: 413, size: 300, isRight: true },
  { status: 422, size: 2, isRight: false },
])('$status for an invalid body of $size bytes is right: $isRight', ({ status, size, isRight }) => {
  const request = {
    ...{ method: 'POST', base: target.baseUrl, path: '/pets', isAuthorized: true },
    headers: { 'Content-Type': 'application/json' },
    body: `{${' '.repeat(size - 2)}}`,
  };
  const response = { status, headers: {}, body: Buffer.from('{}') };
  const history = new History(target, 'a mark');
  history.record(new Exchange(request, { response, failure: undefined }, target));
  const looks = lookAtRefusals(createEvidence(history), 'no name');
  expect(looks.map(isSighting)).toEqual([!isRight]);
});
