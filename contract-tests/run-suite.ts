import { clauseOf } from './catalogue.ts';
import type { Check } from './check.ts';
import { checks } from './checks/checks.ts';
import type { Clause } from './clause.ts';
import { createClient } from './client.ts';
import type { Context } from './context.ts';
import type { Target } from './target.ts';
import { toVerdict, type Verdict } from './verdict.ts';

/** A clause and what became of it. */
export interface Result {
  readonly clause: Clause;
  readonly verdict: Verdict;
  /** In milliseconds. */
  readonly ms: number;
}

/** Creates what the checks of one run share. */
export function createContext(target: Target): Context {
  const prefix = `contract-test ${Date.now().toString(36)}`;
  return { target, client: createClient(target), prefix };
}

/** Runs one check; one that would write is not tried where that is not allowed. */
export async function runCheck(check: Check, context: Context): Promise<Result> {
  const start = performance.now();
  const isForbidden = check.writes === true && !context.target.allowsWrites;
  const verdict: Verdict = isForbidden
    ? { kind: 'skipped', reason: 'it would write, which is not allowed here (--allow-writes)' }
    : withEvidence(await toVerdict(() => check.run(context)), context);
  return { clause: clauseOf(check.clause), verdict, ms: performance.now() - start };
}

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
