import { isDeepStrictEqual } from 'node:util';
import { identifyFailure } from './failures/identify-failure.ts';
import { describeResult } from './reporters/describe-report.ts';
import { countOf, printReason } from './reporters/print-summary.ts';
import { isFailure, type Report, type Result } from './runner/report.ts';

/** What has changed from one run to the next. */
export interface Comparison {
  /** Failures that the first run has not shown, and that no entry of --known accepts. */
  readonly failing: readonly Result[];
  /** Clauses that failed in the first run and passed in the second. */
  readonly fixed: readonly Result[];
  /** Clauses that the first run tested and the second did not, with their reasons. */
  readonly lost: readonly { readonly clause: Result['clause']; readonly reason: string }[];
}

const isTested = ({ verdict }: Result) => verdict === 'passed' || verdict === 'failed';

/** Compares two reports. A clause that fails in another way than before is a new failure. */
export function compareReports(first: Report, second: Report): Comparison {
  const find = ({ outcomes }: Report, id: string) => outcomes.find(({ clause }) => clause.id === id);
  const isNew = ({ clause, failures = [] }: Result) => {
    const before = (find(first, clause.id)?.failures ?? []).map(identifyFailure);
    return failures.some((one) => !before.some((known) => isDeepStrictEqual(known, identifyFailure(one))));
  };
  const hasPassed = ({ clause }: Result) => find(second, clause.id)?.verdict === 'passed';
  return {
    failing: second.outcomes.filter((one) => one.verdict === 'failed' && !one.known && isNew(one)),
    fixed: first.outcomes.filter((one) => one.verdict === 'failed' && hasPassed(one)),
    lost: first.outcomes.filter(isTested).flatMap(({ clause }) => {
      const now = find(second, clause.id);
      if (now !== undefined && isTested(now)) return [];
      return [{ clause, reason: now?.reason ?? second.reason ?? 'left out by --only' }];
    }),
  };
}

/** Returns whether a required clause has a new failure, or is no longer tested. */
export function isWorse({ failing, lost }: Comparison): boolean {
  return failing.some(isFailure) || lost.some(({ clause }) => clause.level === 'required');
}

/** Prints what has changed, with the counts in the first line. */
export function printComparison(first: Report, second: Report, comparison: Comparison): string {
  const { failing, fixed, lost } = comparison;
  const subject =
    first.baseUrl === second.baseUrl ? second.baseUrl : `${first.baseUrl} and ${second.baseUrl}`;
  const counts = `${countOf(failing.length, 'new failure')}, ${fixed.length} fixed, ${lost.length} no longer tested`;
  const versions = first.suite === second.suite ? '' : ` The suite was ${first.suite}, then ${second.suite}.`;
  const print = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`\n${title}`, ...lines.map((line) => `  ${line}`)];
  const lines = [
    `${subject}, from ${first.startedAt} to ${second.startedAt}: ${counts}.${versions}`,
    ...print(
      'New failures',
      failing.map((one) => `${one.clause.id}: ${printReason(describeResult(one))}`),
    ),
    ...print(
      'Fixed',
      fixed.map(({ clause }) => `${clause.id}: ${clause.sentence}`),
    ),
    ...print(
      'No longer tested',
      lost.map(({ clause, reason }) => `${clause.id}: ${reason}`),
    ),
  ];
  return `${lines.join('\n')}\n`;
}
