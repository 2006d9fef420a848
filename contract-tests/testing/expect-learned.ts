import { expect } from 'vitest';
import { completeBehaviour } from '../../common/behaviour/behaviours.ts';
import type { Difference } from '../../common/behaviour/choices.ts';
import { type Learned, learn } from '../../common/learn/learn.ts';
import { type MockOptions, startMock } from '../../mock/index.ts';
import { sendProbes } from '../learn/send-probes.ts';
import { runSuite } from '../runner/run.ts';
import { createTarget, withoutDredd } from './run-suite.ts';

/** Runs the suite over HTTP and learns the behaviour of a deployment, or of a new mock. @param only the clauses of the run */
export async function learnFrom(
  from: MockOptions | string,
  allowsWrites = true,
  only: readonly string[] = withoutDredd,
): Promise<Learned> {
  const mock = typeof from === 'string' ? undefined : await startMock({ ...from, port: 0, log: 'silent' });
  const target = createTarget({ baseUrl: mock?.url ?? String(from), allowsWrites, runs: 5 });
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
  const { observed, ...learned } = await learnFrom({ behaviour, withViolations: true });
  const pick = (all: Difference) => Object.fromEntries(observed.map((name) => [name, all[name]]));
  expect(pick(completeBehaviour(learned.behaviour))).toEqual(pick(completeBehaviour(behaviour)));
  return observed;
}
