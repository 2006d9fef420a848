import type { Report, Result } from '../runner/report.ts';
import { countResults, isFailure, isKnown, listHeadlines } from '../runner/report.ts';

/** Describes the entry of a known failure. */
export function printEntry({ known }: Result): string[] {
  if (known === undefined) return [];
  const { reason, until, issue, isExpired } = known;
  const end = until && (isExpired ? `expired after ${until}` : `until ${until}`);
  const notes = [end, issue].filter(Boolean).join(', ');
  return [notes === '' ? reason : `${reason} (${notes})`];
}

export function printReason(result: Result): string {
  const { verdict, expected, received, probably, reason = '', known } = result;
  if (verdict !== 'failed') return reason;
  if (isKnown(result)) return `known: ${printEntry(result)}`;
  const entry = known === undefined ? '' : `. Known: ${printEntry(result)}`;
  return `expected ${expected}, received ${received}${probably === undefined ? '' : `: ${probably}`}${entry}`;
}

/** Prints the verdict with what it is based on and what was not tested. */
export function printVerdict(report: Report): string {
  const { verdict, tested, required, reason } = report;
  if (verdict === 'no verdict' && reason !== undefined) return `${verdict}: ${reason}`;
  const headlines = countFindings(report);
  const findings = headlines === 0 ? '' : `${headlines} finding${headlines === 1 ? '' : 's'}, `;
  const counts = `${verdict}: ${findings}${tested} of ${required} required clauses tested`;
  return [counts, ...listGaps(report)].join('. ');
}

/** Counts the headlines: other clauses failed for the same reason. */
function countFindings(report: Report): number {
  return listHeadlines(report).filter(isFailure).length;
}

/** Lists what a run did not test, such as `Read-only: POST /pets was not tested`, `Deadline: 5 not tested` and `Only: list-pets`. */
function listGaps({ outcomes, leftOut }: Report): string[] {
  const causes = Map.groupBy(outcomes, ({ clause, cause }) =>
    clause.level === 'required' ? cause : undefined,
  );
  const known = outcomes.filter(isKnown).length;
  const gaps = [...causes].flatMap(([cause = 'no verdict', { length }]) => {
    if (cause === 'no verdict') return [];
    if (cause === 'read-only') return ['Read-only: POST /pets was not tested'];
    return [`${cause.replace(/^./, (char) => char.toUpperCase())}: ${length} not tested`];
  });
  const groups = Map.groupBy(outcomes, ({ clause }) => clause.id.replace(/\/.*/, ''));
  const tested = [...groups].map(([start, { length, 0: first }]) => {
    if (length === 1) return first?.clause.id;
    return leftOut.some((id) => id.startsWith(`${start}/`)) ? `${length} of ${start}` : start;
  });
  if (known > 0) gaps.unshift(`Known failures: ${known}`);
  return leftOut.length === 0 ? gaps : [...gaps, `Only: ${tested.join(', ')}`];
}

/** Prints the verdict, then the counts and the traffic on another line. */
export function printSummary(report: Report): string {
  const { baseUrl, requests, animalsAdded, ms, outcomes, verdict, reason, fixed = [] } = report;
  const first = `${baseUrl} ${verdict === 'no verdict' ? 'has ' : ''}${printVerdict(report)}`;
  if (outcomes.length === 0) return first;
  const { passed, failed, known, notTested, notApplicable, errors, met, notMet } = countResults(report);
  const findings = countFindings(report);
  const inFindings = failed > findings ? ` in ${findings} finding${findings === 1 ? '' : 's'}` : '';
  const failures = `${failed} failed${inFindings}${known > 0 ? `, ${known} known` : ''}`;
  const faults = errors > 0 ? `, ${errors} fault${errors === 1 ? '' : 's'} of the suite` : '';
  const counts = `${passed} passed, ${failures}, ${notTested} not tested, ${notApplicable} not applicable`;
  const recommended = met + notMet === 0 ? '' : `. Recommendations: ${met} met, ${notMet} not met`;
  const animals = `${animalsAdded} animal${animalsAdded === 1 ? '' : 's'} added`;
  const ended = reason === undefined || verdict === 'no verdict' ? [] : [`The run ended early: ${reason}`];
  const now =
    fixed.length === 0 || verdict === 'no verdict' ? [] : [`Fixed, remove from --known: ${fixed.join(', ')}`];
  const traffic = `${requests} requests, ${animals}, ${(ms / 1000).toFixed(1)} s`;
  return [first, `${counts}${faults}${recommended} (${traffic})`, ...ended, ...now].join('\n');
}
