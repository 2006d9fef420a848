import { inject, test } from 'vitest';
import { checks } from './clauses/checks.ts';
import { quickstartChecks } from './clauses/quickstart-checks.ts';
import { isAddition } from './core/additions.ts';
import type { Exchange } from './core/exchange.ts';
import { toOutcome } from './outcome.ts';
import { readTarget } from './provided-target.ts';
import { replayChecks, replayedSoFar } from './replay/replay-checks.ts';
import type { Traffic } from './report.ts';
import { createContext, inOrder, runCheck } from './run.ts';

const provided = inject('target');
const target = readTarget(provided);
const context = createContext(target);
const wanted = [
  ...checks,
  ...(target.quickstart === undefined ? [] : quickstartChecks),
  ...replayChecks,
].filter(({ clause }) => provided.only.length === 0 || provided.only.includes(clause));

/** Long enough for a slow deployment; the client's own time limit ends every request. */
const TIMEOUT = 600_000;

test.for(inOrder(wanted).map((check) => [check.clause, check] as const))(
  '%s',
  { timeout: TIMEOUT },
  async ([, check], { task, skip }) => {
    const outcome = toOutcome(await runCheck(check, context), target);
    task.meta.outcome = outcome;
    task.meta.traffic = countTraffic([...context.client.journal, ...(await replayedSoFar(context))]);
    if (outcome.verdict === 'skipped') skip(outcome.reason);
    if (outcome.verdict === 'error') throw new Error(`The suite itself failed: ${outcome.reason}`);
    // What is advised is reported, and fails nothing.
    if (outcome.verdict === 'failed' && outcome.clause.level === 'required') {
      const { clause, expected, actual, evidence } = outcome;
      throw new Error(
        `${clause.sentence}\nexpected: ${expected}\nactual: ${actual}\n${evidence?.curl ?? ''}`,
      );
    }
  },
);

function countTraffic(exchanges: readonly Exchange[]): Traffic {
  return { requests: exchanges.length, animalsAdded: exchanges.filter(isAddition).length };
}
