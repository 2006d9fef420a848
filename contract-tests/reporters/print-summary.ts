import { stringify } from 'yaml';
import { countOf } from '../../common/text/count-of.ts';
import type { Tolerance } from '../history/tolerances.ts';
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

/** Says where the animal of a finding comes from, if it is none of the deployment's own. */
export function printOrigin({ ofEarlierRun }: Result): string[] {
  return ofEarlierRun ? ['The animal was added by an earlier run of this suite'] : [];
}

export function printReason(result: Result): string {
  const { verdict, expected, received, probably, reason = '', known } = result;
  if (verdict !== 'failed') return reason;
  if (isKnown(result)) return `known: ${printEntry(result)}`;
  const entry = known === undefined ? '' : `. Known: ${printEntry(result)}`;
  const cause = probably === undefined ? '' : `: ${probably}`;
  const origin = printOrigin(result).map((sentence) => `. ${sentence}`);
  return `expected ${expected}, received ${received}${cause}${origin.join('')}${entry}`;
}

/** Prints the verdict with what it is based on and what was not tested. */
export function printVerdict(report: Report): string {
  const { verdict, tested, required, reason, noneAdded } = report;
  if (verdict === 'no verdict' && reason !== undefined) return `${verdict}: ${reason}`;
  const count = countFindings(report);
  const findings = count === 0 ? '' : `${countOf(count, 'finding')}, `;
  const additions = noneAdded ? 'no animal could be added, ' : '';
  const ofPost = listUntested(report).filter(({ cause }) => cause === 'read-only').length;
  const counts = `${tested} of ${required - ofPost} required clauses tested${describeGaps(report)}`;
  const more = ofPost === 0 ? '' : `, ${ofPost} more ${ofPost === 1 ? 'needs' : 'need'} POST`;
  return [`${verdict}: ${findings}${additions}${counts}${more}`, ...listGaps(report)].join('. ');
}

/** Counts the findings: other clauses failed for the same reason. */
function countFindings(report: Report): number {
  return listFindings(report).filter(isFailure).length;
}

function listUntested({ outcomes }: Report): readonly Result[] {
  return outcomes.filter(({ clause, verdict }) => clause.level === 'required' && verdict === 'not tested');
}

/** Prints how many required clauses were not tested, although the run might have, and why, such as `, 5 not tested (deadline: 3, --only: 2)`. */
function describeGaps(report: Report): string {
  const untested = listUntested(report).filter(({ cause }) => cause !== 'read-only');
  const causes = [...untested.map(({ cause }) => cause ?? ''), ...report.leftOut.map(() => '--only')];
  if (causes.length === 0) return '';
  const [first, ...others] = [...Map.groupBy(causes, (cause) => cause)].map(
    ([cause, { length }]) => [cause, `${cause}: ${length}`] as const,
  );
  const reasons = others.length === 0 ? first?.[0] : [first, ...others].map((one) => one?.[1]).join(', ');
  return `, ${causes.length} not tested (${reasons})`;
}

/** How many clauses a line about a reason names. */
const MOST_NAMED = 3;

/** Prints why required clauses were not tested, a line for each reason. */
export function printUntested(report: Report): readonly string[] {
  const byReason = Map.groupBy(listUntested(report), ({ reason = '' }) => reason);
  return [...byReason].map(([reason, results]) => {
    const { length } = results;
    if (results[0]?.cause === 'read-only') {
      const need = length === 1 ? '1 clause needs' : `${length} clauses need`;
      return `Not tested: ${need} POST, which adds animals that nobody can delete: test them on staging.`;
    }
    const ids = results.map(({ clause }) => clause.id).join(', ');
    return `Not tested: ${length > MOST_NAMED ? `${length} clauses` : ids}, because ${reason}`;
  });
}

/** Lists what else is to be known about a verdict, such as `Known failures: 2` and `Only: list-pets`. */
function listGaps({ verdict, outcomes, leftOut, noneAdded, options }: Report): string[] {
  const known = outcomes.filter(isKnown);
  const open = known.filter((result) => result.known?.isUnexplained).length;
  const toExplain = open === 0 ? '' : `, ${open} of them to be explained`;
  const gaps = known.length > 0 ? [`Known failures: ${known.length}${toExplain}`] : [];
  const causes = new Set(outcomes.map(({ cause }) => cause));
  // A store that is full refuses every category. Otherwise a finding may be the reason.
  const isRefusedAnyway = causes.has('full store') || causes.has('no right to add animals');
  if (noneAdded && verdict === 'conforms in part' && !isRefusedAnyway) gaps.push(describeCategory(options));
  if (leftOut.length === 0) return gaps;
  const chosen = outcomes.map(({ clause }) => clause.id);
  const groups = [...Map.groupBy(chosen, groupOf)].map(([start, { length, 0: first }]) => {
    if (length === 1) return first;
    return leftOut.some((id) => groupOf(id) === start) ? `${length} of ${start}` : start;
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

/** What excused responses did, in words that fit one and several. The sentences of the tolerances are in history/tolerances.ts. */
const excuses: Readonly<Record<Tolerance, string>> = {
  late: 'lagged behind',
  'no room': 'had no room for every animal',
  'changed by others': 'showed a change by others',
  'removed by others': 'lacked what others removed',
  'told to wait': 'asked the suite to wait',
};

/** What has disturbed a run, such as `Interrupted` and `2 responses of 502 within 0.1 s`. */
type Disturbance = readonly [name: string, text: string];

/** Counts the responses that the tolerances have excused. */
function describeExcused({ excused = {}, outcomes }: Report): Disturbance[] {
  const [first, ...others] = Object.entries(excused) as [Tolerance, number][];
  if (first === undefined) return [];
  const [tolerance, count] = first;
  const start = `${countOf(count, 'response')} ${excuses[tolerance]}`;
  const all = [start, ...others.map(([name, more]) => `${more} ${excuses[name]}`)].join(', ');
  // What lacks an animal for the reason of a finding looks as if it were late.
  return [['Excused', outcomes.some(isFailure) ? `${all}, unless a finding explains it` : all]];
}

/** Says how long the service was out of reach. */
function describeInterrupted({ interrupted }: Report): Disturbance[] {
  if (interrupted === undefined) return [];
  const { count, statuses, ms } = interrupted;
  const responses =
    statuses.length === 0
      ? `${countOf(count, 'request')} without an answer`
      : `${countOf(count, 'response')} of ${statuses.join(' and ')}`;
  return [['Interrupted', `${responses} within ${(ms / 1_000).toFixed(1)} s`]];
}

/** Lists what has disturbed a run, and what was excused. */
export function listDisturbances(report: Report): readonly Disturbance[] {
  return [...describeExcused(report), ...describeInterrupted(report), ...describeSlowed(report)];
}

/** Prints what has disturbed a run, and what was excused, a line each. */
export function printDisturbances(report: Report): readonly string[] {
  return listDisturbances(report).map((one) => one.join(': '));
}

/** Says why a run was slow, if the deployment has limited its rate. */
function describeSlowed({ slowed }: Report): Disturbance[] {
  if (slowed === undefined) return [];
  const { refused, ms } = slowed;
  const requests = refused === 1 ? '1 request was' : `${refused} requests were`;
  const seconds = (ms / 1_000).toFixed(1);
  return [
    [
      'Slowed down',
      `${requests} refused with 429 or 503, for which the run waited ${seconds} s. If it is a limit of the rate, --max-rate keeps to it`,
    ],
  ];
}

/** Prints what a report is about, and its verdict. */
export function printHeadline(report: Report): string {
  const { baseUrl, verdict } = report;
  const subject = baseUrl === '' ? 'The run' : baseUrl;
  return `${subject} ${verdict === 'no verdict' ? 'has ' : ''}${printVerdict(report)}`;
}

/** Says how many animals more the deployment may have added, to be read after a number. */
export function printPerhaps({ perhapsAdded }: Report): string {
  return perhapsAdded === undefined ? '' : ` and perhaps ${perhapsAdded} more`;
}

/** Prints the counts and the traffic, in at most one line. */
export function printCounts(report: Report): readonly string[] {
  const { requests, animalsAdded, ms, outcomes } = report;
  if (outcomes.length === 0) return [];
  const { passed, failed, known, notTested, errors, met, notMet } = countResults(report);
  const findings = countFindings(report);
  const inFindings = failed > findings ? ` in ${countOf(findings, 'finding')}` : '';
  const failures = `${failed} failed${inFindings}${known > 0 ? `, ${known} known` : ''}`;
  const faults = errors > 0 ? `, ${countOf(errors, 'fault')} of the suite` : '';
  const counts = `${passed} passed, ${failures}, ${notTested} not tested${faults}`;
  const recommended = met + notMet === 0 ? '' : `. Recommendations: ${met} met, ${notMet} not met`;
  const animals = `${countOf(animalsAdded, 'animal')} added${printPerhaps(report)}`;
  const traffic = `${countOf(requests, 'request')}, ${animals}, ${(ms / 1000).toFixed(1)} s`;
  return [`${counts}${recommended} (${traffic})`];
}

/** Prints what is to be known about a run next to its results, a line each. */
export function printNotes(report: Report): readonly string[] {
  const { outcomes, verdict, reason, fixed = [], unmatched = [] } = report;
  if (outcomes.length === 0) return [];
  const names = (entries: readonly NamedEntry[]) => entries.map(printEntryName).join(', ');
  const hasVerdict = verdict !== 'no verdict';
  return [
    ...printDisturbances(report),
    ...printAdded(report),
    ...(unmatched.length === 0
      ? []
      : [`No clause shows these failures of --known, check their members: ${names(unmatched)}`]),
    ...(reason !== undefined && hasVerdict ? [`The run ended early: ${reason}`] : []),
    ...(fixed.length > 0 && hasVerdict ? [`Fixed, remove from --known: ${names(fixed)}`] : []),
  ];
}

/** Maximum number of ids that a line has. The reports in HTML and JSON have each. */
const MOST_IDS = 10;

/** Names the animals that a run has added and that nobody can delete. It has at most one line. */
function printAdded({ added, run }: Report): string[] {
  if (added.length === 0) return [];
  const ids = added.filter((one) => /^-?\d+$/.test(one)).map(BigInt);
  const inTurn = ids.toSorted((one, other) => (one < other ? -1 : 1));
  const [first = 0n, last = 0n] = [inTurn[0], inTurn.at(-1)];
  const areInTurn = ids.length === added.length && last - first === BigInt(ids.length - 1);
  const more = added.length > MOST_IDS ? ` and ${added.length - MOST_IDS} more` : '';
  const shown = areInTurn && more !== '' ? `${first} to ${last}` : added.slice(0, MOST_IDS).join(', ') + more;
  return [`Added by the run ${run}, as its User-Agent says: ${shown}`];
}

/** Prints the verdict, the counts and the notes, a line each. */
export function printSummary(report: Report): string {
  return [printHeadline(report), ...printCounts(report), ...printNotes(report)].join('\n');
}
