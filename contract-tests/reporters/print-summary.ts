import { stringify } from 'yaml';
import type { NamedEntry, Report, Result } from '../runner/report.ts';
import { countResults, isFailure, isKnown, listFindings } from '../runner/report.ts';

/** Describes the entry of a known failure. */
export function printEntry({ known }: Result): string[] {
  if (known === undefined) return [];
  const { reason, until, issue, isExpired } = known;
  const end = until && (isExpired ? `expired after ${until}` : `until ${until}`);
  const notes = [end, issue].filter(Boolean).join(', ');
  return [notes === '' ? reason : `${reason} (${notes})`];
}

/** Names an entry of --known that can be removed, such as `the failure of GET /pets (status, received 500)`. */
export function printEntryName({ clause, failure }: NamedEntry): string {
  if (failure === undefined) return clause ?? '';
  const { operation, ...members } = failure;
  const words = Object.entries(members).filter(([, value]) => value !== undefined);
  return `the failure of ${operation} (${words.map(([name, value]) => `${name}: ${value}`).join(', ')})`;
}

/** Prints the entries that --known lacks, as they are pasted into its file. It is empty without any. */
export function printNewEntries({ newEntries = [], verdict }: Report): string {
  return newEntries.length === 0 || verdict === 'no verdict' ? '' : stringify(newEntries, { lineWidth: 0 });
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
  const { verdict, tested, required, reason, noneAdded } = report;
  if (verdict === 'no verdict' && reason !== undefined) return `${verdict}: ${reason}`;
  const count = countFindings(report);
  const findings = count === 0 ? '' : `${count} finding${count === 1 ? '' : 's'}, `;
  const additions = noneAdded ? 'no animal could be added, ' : '';
  const { notApplicable } = countResults(report);
  const others = notApplicable === 0 ? '' : `, ${notApplicable} not applicable`;
  const counts = `${verdict}: ${findings}${additions}${tested} of ${required} required clauses tested${others}`;
  return [counts, ...listGaps(report)].join('. ');
}

/** Counts the findings: other clauses failed for the same reason. */
function countFindings(report: Report): number {
  return listFindings(report).filter(isFailure).length;
}

/** Lists what a run did not test, such as `Read-only: POST /pets was not tested`, `Deadline: 5 not tested` and `Only: list-pets`. */
function listGaps({ verdict, outcomes, leftOut, alsoTested, noneAdded, options }: Report): string[] {
  const causes = Map.groupBy(outcomes, ({ clause, cause }) =>
    clause.level === 'required' ? cause : undefined,
  );
  const known = outcomes.filter(isKnown).length;
  const gaps = [...causes].flatMap(([cause = 'no verdict', { length }]) => {
    if (cause === 'no verdict') return [];
    // The verdict has said it.
    if (cause === 'no animal could be added' && noneAdded) return [];
    if (cause === 'read-only') return ['Read-only: POST /pets was not tested'];
    return [`${cause.replace(/^./, (char) => char.toUpperCase())}: ${length} not tested`];
  });
  if (known > 0) gaps.unshift(`Known failures: ${known}`);
  // A store that is full refuses every category. Otherwise a finding may be the reason.
  const isRefusedAnyway = causes.has('full store') || causes.has('no right to add animals');
  if (noneAdded && verdict === 'conforms in part' && !isRefusedAnyway) gaps.push(describeCategory(options));
  if (leftOut.length === 0) return gaps;
  const added = alsoTested?.clauses ?? [];
  const others = [...leftOut, ...added];
  const chosen = outcomes.map(({ clause }) => clause.id).filter((id) => !added.includes(id));
  const groups = [...Map.groupBy(chosen, groupOf)].map(([start, { length, 0: first }]) => {
    if (length === 1) return first;
    return others.some((id) => groupOf(id) === start) ? `${length} of ${start}` : start;
  });
  return [...gaps, `Only: ${groups.join(', ')}`];
}

/** Says what to do if a category may be the reason that no animal could be added. */
function describeCategory({ categoryId }: Report['options']): string {
  if (categoryId === undefined)
    return 'If POST /pets refuses unknown categories, name a known one: --category-id <id>';
  return `POST /pets refused the category ${categoryId} of --category-id, too`;
}

/** Returns the first part of the id of a clause, such as `list-pets`. */
function groupOf(id: string): string {
  return id.replace(/\/.*/, '');
}

/** Prints which clauses were tested that nobody chose, and why. It has at most one line. */
export function printAlsoTested({ alsoTested }: Report): string[] {
  if (alsoTested === undefined) return [];
  const { clauses: added, readBy } = alsoTested;
  const [first = '', ...others] = readBy;
  const more = others.length === 1 ? '1 other clause' : `${others.length} other clauses`;
  const readers = others.length === 0 ? `${first} reads` : `${first} and ${more} read`;
  const groups = [...new Set(added.map(groupOf))];
  const count = added.length === 1 ? '1 clause' : `${added.length} clauses`;
  return [`Also tested, because ${readers} their responses: ${count} of ${groups.join(', ')}`];
}

/** Says why a run was slow, if the deployment has limited its rate. It has at most one line. */
export function printSlowed({ slowed }: Report): string[] {
  if (slowed === undefined) return [];
  const { refused, ms } = slowed;
  const requests = refused === 1 ? '1 request was' : `${refused} requests were`;
  const seconds = (ms / 1_000).toFixed(1);
  return [
    `Slowed down: ${requests} refused with 429 or 503, for which the run waited ${seconds} s. If it is a limit of the rate, --max-rate keeps to it`,
  ];
}

/** Names what a report is about, at the start of a sentence. */
function nameSubject({ baseUrl }: Report): string {
  return baseUrl === '' ? 'The run' : baseUrl;
}

/** Prints the verdict, then the counts and the traffic on another line. */
export function printSummary(report: Report): string {
  const { requests, animalsAdded, perhapsAdded, ms, outcomes, verdict, reason } = report;
  const { fixed = [], unmatched = [] } = report;
  const first = `${nameSubject(report)} ${verdict === 'no verdict' ? 'has ' : ''}${printVerdict(report)}`;
  if (outcomes.length === 0) return first;
  const { passed, failed, known, notTested, notApplicable, errors, met, notMet } = countResults(report);
  const findings = countFindings(report);
  const inFindings = failed > findings ? ` in ${findings} finding${findings === 1 ? '' : 's'}` : '';
  const failures = `${failed} failed${inFindings}${known > 0 ? `, ${known} known` : ''}`;
  const faults = errors > 0 ? `, ${errors} fault${errors === 1 ? '' : 's'} of the suite` : '';
  const counts = `${passed} passed, ${failures}, ${notTested} not tested, ${notApplicable} not applicable`;
  const recommended = met + notMet === 0 ? '' : `. Recommendations: ${met} met, ${notMet} not met`;
  const more = perhapsAdded === undefined ? '' : ` and perhaps ${perhapsAdded} more`;
  const animals = `${animalsAdded} animal${animalsAdded === 1 ? '' : 's'} added${more}`;
  const ended = reason === undefined || verdict === 'no verdict' ? [] : [`The run ended early: ${reason}`];
  const now =
    fixed.length === 0 || verdict === 'no verdict'
      ? []
      : [`Fixed, remove from --known: ${fixed.map(printEntryName).join(', ')}`];
  const missing =
    unmatched.length === 0
      ? []
      : [
          `No clause shows these failures of --known, check their members: ${unmatched.map(printEntryName).join(', ')}`,
        ];
  const also = [...printAlsoTested(report), ...printSlowed(report), ...missing];
  const traffic = `${requests} request${requests === 1 ? '' : 's'}, ${animals}, ${(ms / 1000).toFixed(1)} s`;
  return [first, `${counts}${faults}${recommended} (${traffic})`, ...also, ...ended, ...now].join('\n');
}
