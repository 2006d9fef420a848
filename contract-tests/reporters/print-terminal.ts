import { styleText } from 'node:util';
import { docsPages } from '../../common/docs-pages.ts';
import { printDocsPage } from '../../common/print-docs-page.ts';
import type { Report, Result } from '../runner/report.ts';
import { groupUntested, isFailure, isKnown, listFindings, listFollowers } from '../runner/report.ts';
import { describeResult } from './describe-report.ts';
import type { PrintOptions } from './parts.ts';
import { listExchanges, listIds, looks, printCompared, printTrace } from './parts.ts';
import {
  printCounts,
  printEntry,
  printHeadline,
  printNewEntries,
  printNotes,
  printOrigin,
  printReason,
  printUntested,
} from './print-summary.ts';

type Paint = (format: Parameters<typeof styleText>[0], text: string) => string;

/**
 * Prints the verdict, then each finding once, then a line for whatever else there is to know. With `isVerbose` it has each value of
 * each failure, and what was compared.
 */
export function printTerminal(report: Report, { isVerbose = false, stream }: PrintOptions): string {
  const paint: Paint = (format, text) => (stream === undefined ? text : styleText(format, text, { stream }));
  const findings = listFindings(report);
  // What fails no run is a line, unless the reader asks for more.
  const inFull = isVerbose ? findings : findings.filter(isFailure);
  const inShort = isVerbose ? [] : findings.filter((one) => !isFailure(one));
  const faults = report.outcomes.filter(({ verdict }) => verdict === 'error');
  const parts = [
    paint(['bold', looks[report.verdict].color], printHeadline(report)),
    ...inFull.map((result, index) => printFinding(result, index + 1, { report, isVerbose, paint })),
    ...faults.map((one) => printFault(one, paint)),
    ...(isVerbose ? [...printPassed(report, paint), ...printGaps(report, paint)] : []),
    ...printMissing(report, paint),
    [...inShort.map((one) => printShort(one, paint)), ...printEnd(report, isVerbose, paint)].join('\n'),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function printPassed({ outcomes }: Report, paint: Paint): string[] {
  const passed = outcomes.filter(({ verdict }) => verdict === 'passed');
  return [...Map.groupBy(passed, ({ clause }) => clause.heading)].map(([heading, results]) => {
    const lines = results.map((result) => {
      const { id, sentence } = result.clause;
      const compared = paint('dim', `compared ${printCompared(result)}`);
      return `  ${paint('green', 'passed')}  ${id.padEnd(36)} ${sentence} ${compared}`;
    });
    return [paint('bold', heading), ...lines].join('\n');
  });
}

/** Prints the clauses that were not tested, by reason. */
function printGaps(report: Report, paint: Paint): string[] {
  const lines = groupUntested(report).flatMap(({ reasons }) =>
    [...reasons].map(([reason, results]) => `  ${reason}\n${paint('dim', `    ${listIds(results)}`)}`),
  );
  return lines.length === 0 ? [] : [[paint('bold', 'Not tested'), ...lines].join('\n')];
}

/** Prints the entries that would accept the new failures, without an indent, so that they can be pasted. */
function printMissing(report: Report, paint: Paint): string[] {
  const entries = printNewEntries(report);
  return entries === '' ? [] : [`${paint('bold', 'Entries that --known lacks')}\n${entries.trimEnd()}`];
}

function printEnd(report: Report, isVerbose: boolean, paint: Paint): string[] {
  const page = report.outcomes.some(isFailure) ? printDocsPage(docsPages.finding) : undefined;
  const lines = [
    ...printNotes(report),
    ...(isVerbose ? [] : printUntested(report)),
    ...(page === undefined ? [] : [`What to do with a finding: ${page}`]),
    ...printCounts(report),
  ];
  return lines.map((line) => paint('dim', line));
}

interface Style {
  readonly report: Report;
  readonly isVerbose: boolean;
  readonly paint: Paint;
}

function printFinding(result: Result, number: number, { report, isVerbose, paint }: Style): string {
  const { clause, expected = '', received = '', probably, script, evidence } = result;
  const shown = listExchanges(result);
  const exchanges = shown.map(
    ({ request, outcome, shows, time }) =>
      `${request} → ${outcome}${shows}${time && `, ${paint('dim', time)}`}`,
  );
  const followers = listFollowers(report, result);
  const isShown = ({ evidence: own }: Result) =>
    own === undefined || shown.some((one) => one.evidence.curl === own.curl);
  const details = [
    `expected  ${expected}`,
    `received  ${received}`,
    ...(probably === undefined ? [] : [`probably  ${probably}`]),
    ...printEntry(result).map((entry) => `known     ${entry}`),
    ...printOrigin(result),
    ...exchanges,
    ...printTrace(result),
    ...(script ?? evidence?.curl ?? '').split('\n').filter((line) => line !== ''),
    ...followers.flatMap((one) => [
      `also      ${one.clause.id}: ${printReason(isVerbose ? one : describeFirst(one))}`,
      ...(isShown(one) ? [] : [`          ${one.evidence?.curl}`]),
    ]),
  ];
  const color = isFailure(result) ? 'red' : 'yellow';
  const mark = isFailure(result) ? '' : isKnown(result) ? ' known:' : ' recommended:';
  const head = `${paint(['bold', color], `${number}.${mark}`)} ${paint('bold', clause.sentence)}`;
  return [`${head}  ${paint('dim', clause.id)}`, ...details.flatMap(indent)].join('\n');
}

/** Describes the first failure only: what follows from a finding has as many as that. */
function describeFirst(result: Result): Result {
  const { failures } = result;
  return describeResult({ ...result, ...(failures !== undefined && { failures: failures.slice(0, 1) }) });
}

/** Prints a known failure, or a recommendation that is not met, in one line. */
function printShort(result: Result, paint: Paint): string {
  const { clause } = result;
  const word = isKnown(result) ? 'Known' : 'Recommended';
  return `${paint('yellow', `${word}:`)} ${clause.id}: ${isKnown(result) ? printEntry(result) : printReason(result)}`;
}

function printFault({ clause, reason = '' }: Result, paint: Paint): string {
  const word = paint(['bold', 'yellow'], 'FAULT OF THE SUITE');
  return [`${word}  ${clause.sentence}`, ...[clause.id, reason].flatMap(indent)].join('\n');
}

function indent(text: string): string[] {
  return text.split('\n').map((line) => `   ${line}`);
}
