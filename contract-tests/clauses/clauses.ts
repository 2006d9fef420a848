import { catalogue } from '../catalogue.ts';
import type { Clause } from '../core/clause.ts';
import { replayClauses } from '../replay/replay-clauses.ts';
import { checks } from './checks.ts';
import { quickstartChecks } from './quickstart-checks.ts';

const all = [...checks, ...quickstartChecks];
const headings = [...new Set(catalogue.map(({ heading }) => heading))];

/** Every clause, in the order of the specification's headings; under each, what asks for most comes first. */
export const clauses: readonly Clause[] = headings.flatMap((heading) => {
  const heads = catalogue.filter((head) => head.heading === heading);
  if (heading === 'openapi.yaml') return replayClauses;
  return all.flatMap(({ clause, needs = [], isLast = false, run }): Clause[] => {
    const head = heads.find(({ id }) => id === clause);
    return head === undefined ? [] : [{ ...head, needs, observes: isLast, run }];
  });
});
