import { clauseOf } from './catalogue.ts';
import { checks } from './clauses/checks.ts';
import type { Check, Need } from './core/check.ts';
import type { Clause } from './core/clause.ts';
import { createClient } from './core/client.ts';
import type { Context } from './core/context.ts';
import { listAnimals } from './core/lists.ts';
import { expectNotRemoved } from './core/removal.ts';
import { Skipped, toVerdict, type Verdict } from './core/result.ts';
import type { Target } from './core/target.ts';

/** A clause and what became of it. */
export interface Result {
  readonly clause: Clause;
  readonly verdict: Verdict;
  /** In milliseconds. */
  readonly ms: number;
}

/** Creates what the checks of one run share. */
export function createContext(target: Target): Context {
  const prefix = `contract-test ${Math.floor(Date.now() / 1000).toString(36)}`;
  let count = 0;
  const nameFor = (purpose: string) => {
    count += 1;
    return `${prefix}.${count} ${purpose}`;
  };
  return { target, client: createClient(target), prefix, nameFor };
}

/** Runs one check, unless it needs what there is not. */
export async function runCheck(check: Check, context: Context): Promise<Result> {
  const start = performance.now();
  const verdict = await toVerdict(async () => {
    for (const need of check.needs ?? []) await meet[need](context);
    await check.run(context);
  });
  return {
    clause: clauseOf(check.clause),
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

/** A check that names no exchange has failed at its last one. */
function withEvidence(verdict: Verdict, { client }: Context): Verdict {
  if (verdict.kind !== 'failed' || verdict.exchange !== undefined) return verdict;
  return { ...verdict, exchange: client.journal.at(-1) };
}

/** Runs checks one after the other, those that look at all exchanges last. */
export async function runSuite(target: Target, wanted: readonly Check[] = checks): Promise<Result[]> {
  const context = createContext(target);
  const results: Result[] = [];
  for (const check of inOrder(wanted)) results.push(await runCheck(check, context));
  return results;
}

/** Those that look at what others have exchanged come last. */
export function inOrder(wanted: readonly Check[]): Check[] {
  return [...wanted.filter(({ isLast }) => !isLast), ...wanted.filter(({ isLast }) => isLast)];
}
