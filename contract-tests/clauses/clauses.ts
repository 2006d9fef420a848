import { catalogue } from '../catalogue.ts';
import type { Clause } from '../core/clause.ts';
import { replayClauses } from '../replay/replay-clauses.ts';
import { checks } from './checks.ts';
import { quickstartChecks } from './quickstart-checks.ts';

const ofReplay = new Map(replayClauses.map((clause) => [clause.id, clause]));

/** Every clause, in the order of the specification's headings. */
export const clauses: readonly Clause[] = catalogue.map((head) => {
  const replayed = ofReplay.get(head.id);
  if (replayed !== undefined) return replayed;
  const check = [...checks, ...quickstartChecks].find(({ clause }) => clause === head.id);
  if (check === undefined) throw new Error(`The clause ${head.id} has no check.`);
  const { needs = [], isLast = false, run } = check;
  return { ...head, needs, observes: isLast, run };
});
