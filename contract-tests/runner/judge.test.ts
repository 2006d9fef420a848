import { expect, test } from 'vitest';
import { Exchange } from '../client/exchange.ts';
import { History } from '../history/history.ts';
import { type Clause, ONCE_WRONG, type Sighting } from '../rules/rule.ts';
import { compare, sight } from '../rules/sight.ts';
import { createTarget } from '../testing/run-suite.ts';
import { countExcused, createEvidence, judge } from './judge.ts';

const target = createTarget();
const request = { method: 'GET', base: target.baseUrl, path: '/pets', headers: {}, body: undefined };

/** Judges five responses to one question, of which some are wrong. @returns the verdicts on the fault, of its clause and as once wrong */
function judgeFive(
  areWrong: readonly number[],
  parts: Partial<Sighting> = { evidence: 'seen' },
  subjectOf = (_number: number) => 'a subject',
  status = 200,
) {
  const wrong = areWrong.map((number) => [number, { subject: subjectOf(number), ...parts }] as const);
  const judgements = judgeEach([wrong], status);
  return judgements.flatMap(({ faults }) => faults.map(({ verdict }) => verdict));
}

const countExcusedOfFive = (...clauses: readonly Wrong[]) => countExcused(judgeEach(clauses), []);

/** The wrong responses by their numbers. */
type Wrong = readonly (readonly [number: number, parts: Partial<Sighting>])[];

function judgeEach(clauses: readonly Wrong[], status = 200) {
  const exchanges = [1, 2, 3, 4, 5].map((number) => {
    const response = { status, headers: {}, body: Buffer.from('[]') };
    return new Exchange(request, { response, failure: undefined }, target, number, 1, number);
  });
  const lookFor = (wrong: Wrong): Clause['look'] => {
    const partsOf = new Map(wrong);
    return () =>
      exchanges.map((exchange) => {
        const parts = partsOf.get(exchange.number);
        return parts ? sight(exchange, { kind: 'status', expected: 200 }, parts) : compare(exchange);
      });
  };
  const common = { heading: '', sentence: '', level: 'required', needs: [] } as const;
  return judge(createEvidence(new History(target, 'a mark')), [
    ...clauses.map((wrong, index) => ({ ...common, id: `a/clause-${index}`, look: lookFor(wrong) })),
    { ...common, id: ONCE_WRONG, look: () => [] },
  ]);
}

test('one wrong response more of a clause that fails anyway is no finding of its own', () => {
  const subjectOf = (number: number) => (number === 3 ? 'another subject' : 'a subject');
  expect(judgeFive([1, 2, 3], { evidence: 'seen' }, subjectOf)).toEqual(['wrong', 'once wrong']);
});

test('a response that looked late is not counted as excused once the same turns out to be a failure', () => {
  const late = { evidence: 'seen', excuse: 'late' } as const;
  expect(countExcusedOfFive([[1, late]])).toEqual({ late: 1 });
  expect(
    countExcusedOfFive([
      [1, late],
      [2, {}],
      [3, {}],
    ]),
  ).toEqual({});
});

test('a wrong response that others may have caused is counted as excused, also if all later ones are right', () => {
  expect(countExcusedOfFive([[1, { evidence: 'to be asked again' }]])).toEqual({ 'changed by others': 1 });
});

test('a response that one clause excuses is not counted once another finds a response to the same request wrong', () => {
  const late = { evidence: 'seen', excuse: 'late' } as const;
  expect(countExcusedOfFive([[1, late]], [[2, { evidence: 'firm' }]])).toEqual({});
});

test('two wrong responses are a failure, also if all later ones are right', () => {
  expect(judgeFive([1, 2])).toEqual(['wrong']);
});

test('one wrong response is no failure, and a recommendation says that it was there', () => {
  expect(judgeFive([1])).toEqual(['once wrong', 'wrong']);
});

test('two wrong responses are a failure, also if they are about two subjects', () => {
  expect(judgeFive([1, 4], { evidence: 'seen' }, String)).toEqual(['wrong', 'wrong']);
});

test('two wrong responses of a gateway are no failure of the service, if each is to another request', () => {
  const verdicts = judgeFive([1, 4], { evidence: 'seen' }, String, 502);
  expect(verdicts).toEqual(['once wrong', 'once wrong', 'wrong', 'wrong']);
});

test('one response that contradicts the specification by itself is a failure', () => {
  expect(judgeFive([3], { evidence: 'firm' })).toEqual(['wrong']);
});

test('responses that a tolerance excuses are no failure, however many they are', () => {
  expect(judgeFive([1, 2, 3, 4, 5], { evidence: 'seen', excuse: 'late' })).toEqual(['excused']);
});
