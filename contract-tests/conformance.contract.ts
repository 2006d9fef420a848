import { inject, test } from 'vitest';
import { clauses, inRunningOrder } from './clauses/clauses.ts';
import { isAddition } from './core/add-animal.ts';
import type { Exchange } from './core/exchange.ts';
import { toOutcome } from './outcome.ts';
import { readTarget } from './provided-target.ts';
import { replayedSoFar } from './replay/replay-clauses.ts';
import type { Traffic } from './report.ts';
import { createContext, runClause } from './run.ts';

const provided = inject('target');
const target = readTarget(provided);
const context = createContext(target);
const wanted = clauses
  .filter(({ id }) => target.quickstart !== undefined || !id.startsWith('quickstart/'))
  .filter(({ id }) => provided.only.length === 0 || provided.only.includes(id));

/** Long enough for a slow deployment; the client's own time limit ends every request. */
const TIMEOUT = 600_000;

test.for(inRunningOrder(wanted).map((clause) => [clause.id, clause] as const))(
  '%s',
  { timeout: TIMEOUT },
  async ([, clause], { task, skip }) => {
    const outcome = toOutcome(await runClause(clause, context), target);
    task.meta.outcome = outcome;
    task.meta.traffic = countTraffic([...context.client.journal, ...(await replayedSoFar(context))]);
    if (outcome.verdict === 'skipped') skip(outcome.reason);
    if (outcome.verdict === 'error') throw new Error(`The suite itself failed: ${outcome.reason}`);
    // What is advised is reported, and fails nothing.
    if (outcome.verdict === 'failed' && outcome.clause.level === 'required') {
      const { expected, actual, evidence } = outcome;
      throw new Error(
        `${clause.sentence}\nexpected: ${expected}\nactual: ${actual}\n${evidence?.curl ?? ''}`,
      );
    }
  },
);

function countTraffic(exchanges: readonly Exchange[]): Traffic {
  return { requests: exchanges.length, animalsAdded: exchanges.filter(isAddition).length };
}
