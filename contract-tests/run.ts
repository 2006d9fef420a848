import { clauses, inRunningOrder } from './clauses/clauses.ts';
import type { Clause, Need } from './core/clause.ts';
import { createClient } from './core/client.ts';
import type { Context } from './core/context.ts';
import { expectNotRemoved } from './core/get-pet-removal.ts';
import { listAnimals } from './core/list-animals.ts';
import { Skipped, toVerdict, type Verdict } from './core/result.ts';
import type { Target } from './core/target.ts';

/** A clause and what became of it. */
export interface Result {
  readonly clause: Clause;
  readonly verdict: Verdict;
  /** In milliseconds. */
  readonly ms: number;
}

/** Creates what the clauses of one run share. */
export function createContext(target: Target): Context {
  const prefix = `contract-test ${Math.floor(Date.now() / 1000).toString(36)}`;
  let count = 0;
  const nameFor = (purpose: string) => {
    count += 1;
    return `${prefix}.${count} ${purpose}`;
  };
  return { target, client: createClient(target), prefix, nameFor };
}

/** Runs one clause, unless it needs something that is missing. */
export async function runClause(clause: Clause, context: Context): Promise<Result> {
  const start = performance.now();
  const verdict = await toVerdict(async () => {
    for (const need of clause.needs ?? []) await meet[need](context);
    await clause.run(context);
  });
  return {
    clause,
    verdict: withEvidence(verdict, context),
    ms: performance.now() - start,
  };
}

/** How each need is met. @throws Skipped when it is not. */
const meet: Readonly<Record<Need, (context: Context) => Promise<void>>> = {
  writes: async ({ target }) => {
    if (!target.allowsWrites) throw new Skipped('it would write, which is not allowed here (--allow-writes)');
  },
  animals: async (context) => {
    const animals = await listAnimals(context, '?limit=1');
    if (animals.length === 0) throw new Skipped('there is no animal in the list');
  },
  getPet: expectNotRemoved,
};

/** A clause that names no exchange has failed at the last one. */
function withEvidence(verdict: Verdict, { client }: Context): Verdict {
  if (verdict.kind !== 'failed' || verdict.exchange !== undefined) return verdict;
  return { ...verdict, exchange: client.journal.at(-1) };
}

/** Those that need neither Dredd nor the origin of the quickstart. */
const usual = clauses.filter(({ id }) => !/^(?:replay|quickstart)\//.test(id));

/** Runs clauses one after the other. */
export async function runSuite(target: Target, wanted: readonly Clause[] = usual): Promise<Result[]> {
  const context = createContext(target);
  const results: Result[] = [];
  for (const clause of inRunningOrder(wanted)) results.push(await runClause(clause, context));
  return results;
}
