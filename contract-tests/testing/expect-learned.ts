import { expect } from 'vitest';
import { completeBehaviour } from '../../common/behaviour/behaviours.ts';
import { type ChoiceName, type Difference, isSameLearned } from '../../common/behaviour/choices.ts';
import { type Learned, learn } from '../../common/learn/learn.ts';
import { type MockOptions, startMock } from '../../mock/index.ts';
import { sendProbes } from '../learn/send-probes.ts';
import { runSuite } from '../runner/run.ts';
import { clauseIds, createTarget } from './run-suite.ts';

/** Runs the suite over HTTP and learns the behaviour of a deployment, or of a new mock. @param only the clauses of the run */
export async function learnFrom(
  from: MockOptions | string,
  allowsWrites = true,
  only: readonly string[] = clauseIds,
): Promise<Learned> {
  const mock = typeof from === 'string' ? undefined : await startMock({ ...from, port: 0, log: 'silent' });
  const target = createTarget({ baseUrl: mock?.url ?? String(from), allowsWrites });
  const learned: Learned[] = [];
  await runSuite(target, {
    only,
    onTested: sendProbes,
    onEnd: (journal) => learned.push(learn(journal, target, { learnAnimals: true })),
  }).finally(() => mock?.close());
  return learned[0] as Learned;
}

/** Throws if a value of a mock's behaviour is learned wrongly. @returns the choices that were observed */
export async function expectLearned(behaviour: Difference): Promise<Learned['observed']> {
  const { observed, ...learned } = await learnFrom({ behaviour });
  const [one, other] = [completeBehaviour(learned.behaviour), completeBehaviour(behaviour)];
  // Of codes, those are compared that the run has seen.
  const isSame = (name: ChoiceName) =>
    typeof one[name] === 'object' ? isSameLearned(name, one[name], other[name]) : one[name] === other[name];
  const wrong = observed.filter((name) => !isSame(name));
  expect(wrong.map((name) => [name, one[name]])).toEqual(wrong.map((name) => [name, other[name]]));
  expect(wrong).toEqual([]);
  return observed;
}
