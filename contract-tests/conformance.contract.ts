import { inject, test } from 'vitest';
import { toHarmless } from '../common/harmless-text.ts';
import { resolveTarget, type Target } from './core/target.ts';
import { createRun } from './run.ts';

declare module 'vitest' {
  interface ProvidedContext {
    target: Pick<Target, 'baseUrl' | 'apiKey'>;
  }
}

const run = createRun(resolveTarget(inject('target')));

/** Long enough for a slow deployment; the client's own time limit ends every request. */
const TIMEOUT = 600_000;

test.for(run.clauses.map((clause) => [clause.id, clause] as const))(
  '%s',
  { timeout: TIMEOUT },
  async ([, clause], { skip }) => {
    const { verdict, expected, actual, evidence, reason } = await run.tryClause(clause);
    if (verdict === 'skipped') skip(reason && toHarmless(reason));
    if (verdict === 'error') throw new Error(`The suite itself failed: ${toHarmless(reason ?? '')}`);
    // What is advised is reported, and fails nothing.
    if (verdict !== 'failed' || clause.level === 'advised') return;
    const told = `${clause.sentence}\nexpected: ${expected}\nactual: ${actual}\n${evidence?.curl ?? ''}`;
    throw new Error(toHarmless(told));
  },
);
