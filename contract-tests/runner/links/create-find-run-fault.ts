import type { Result } from '../report.ts';
import { chooseFinding } from './choose-finding.ts';
import { createFindServerFault } from './create-find-server-fault.ts';
import type { Facts } from './find-facts.ts';

/**
 * Creates a function that finds the failure that a fault of the whole run has caused: a server that fails now and then, a
 * valid key that is refused, pages of a gateway, or two sets of data. It returns the failure itself if that is the finding.
 */
export function createFindRunFault(
  failed: readonly Result[],
  facts: ReadonlyMap<string, Facts>,
): (result: Result) => Result | undefined {
  const findServerFault = createFindServerFault(failed, facts);
  const refused = failed.filter(isKeyRefused);
  const pages = failed.filter(({ suspected }) => suspected?.cause === 'page');
  const ofTwoSets = failed.filter(({ failures: [failure] = [] }) => failure?.kind === 'two sets');
  const ofForeignPages = failed.filter(isOfForeignPages);
  const firstRefused = chooseFinding(refused);
  const lent = refused.some(isRefusedNowAndThen) ? failed.filter(isKeyAccepted) : [];
  const firstPage = chooseFinding(pages);
  const firstOfTwoSets = chooseFinding(ofTwoSets);
  const firstForeign = chooseFinding(ofForeignPages);
  return (result) => {
    const finding = findServerFault(result);
    if (finding !== undefined) return finding;
    if ((refused.includes(result) && result !== firstRefused) || lent.includes(result)) return firstRefused;
    if (ofTwoSets.includes(result)) return firstOfTwoSets;
    if (ofForeignPages.includes(result)) return firstForeign;
    return pages.includes(result) ? firstPage : undefined;
  };
}

/** Returns whether a clause shows nothing but pages that are not the service's. */
export function isOfForeignPages({ failures = [] }: Pick<Result, 'failures'>): boolean {
  return failures.length > 0 && failures.every(({ kind }) => kind === 'foreign page');
}

function isKeyRefused({ clause, failures: [failure] = [] }: Result): boolean {
  const expectsRefusal = failure?.kind === 'status' && failure.expected === 401;
  const isAboutKeys = clause.heading === 'Authentication' || expectsRefusal;
  return !isAboutKeys && failure?.status === 401;
}

/** Returns whether the valid key was refused as if it were that of another request: they share a field, or a cache ignores it. */
function isRefusedNowAndThen({ suspected }: Result): boolean {
  return suspected?.cause === 'intermittent' || suspected?.cause === 'cached without the key';
}

function isKeyAccepted({ clause, failures: [failure] = [] }: Result): boolean {
  if (clause.heading !== 'Authentication' || failure?.kind !== 'status') return false;
  return failure.expected === 401 && (failure.status ?? 500) < 500;
}
