import { styleText } from 'node:util';
import { docsPages } from '../../common/docs-pages.ts';
import { printDocsPage } from '../../common/print-docs-page.ts';
import type { Report, Result } from '../runner/report.ts';
import { groupUntested, isFailure, isKnown, listFindings, listFollowers } from '../runner/report.ts';
import type { PrintOptions } from './parts.ts';
import {
  countClauses,
  listExchanges,
  listIds,
  looks,
  printAlso,
  printCompared,
  printTrace,
  titlesOfUntested,
} from './parts.ts';
import { printEntry, printNewEntries, printOrigin, printSummary } from './print-summary.ts';

type Paint = (format: Parameters<typeof styleText>[0], text: string) => string;

export function printTerminal(report: Report, { isVerbose = false, stream }: PrintOptions): string {
  const paint: Paint = (format, text) => (stream === undefined ? text : styleText(format, text, { stream }));
  const findings = listFindings(report);
  const failures = findings.filter(isFailure);
  const parts = [
    ...(isVerbose ? printPassed(report, paint) : []),
    ...findings.map((result, index) => printFinding(result, index + 1, report, paint)),
    ...report.outcomes.filter(({ verdict }) => verdict === 'error').map((one) => printFault(one, paint)),
    ...groupUntested(report).map((group) => printUntested(group, paint)),
    ...(failures.length > 1 ? [printContents(failures, paint)] : []),
    ...printMissing(report, paint),
    printEnd(report, paint),
  ];
  return `${parts.join('\n\n')}\n`;
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

/** Lists the findings again, because their details may have scrolled away. */
function printContents(findings: readonly Result[], paint: Paint): string {
  const width = String(findings.length).length;
  const lines = findings.map(
    ({ clause }, index) =>
      `  ${String(index + 1).padStart(width)}. ${clause.sentence} ${paint('dim', clause.id)}`,
  );
  return [paint('bold', 'Findings'), ...lines].join('\n');
}

/** Prints the entries that would accept the new failures, without an indent, so that they can be pasted. */
function printMissing(report: Report, paint: Paint): string[] {
  const entries = printNewEntries(report);
  return entries === '' ? [] : [`${paint('bold', 'Entries that --known lacks')}\n${entries.trimEnd()}`];
}

/** Prints the verdict in its colour, and the counts below it. */
function printEnd(report: Report, paint: Paint): string {
  const [verdict = '', ...counts] = printSummary(report).split('\n');
  const color = looks[report.verdict].color;
  const hasFailed = report.outcomes.some(isFailure);
  const page = hasFailed ? printDocsPage(docsPages.finding) : undefined;
  const lines = page === undefined ? counts : [...counts, `docs: ${page}`];
  return [paint(['bold', color], verdict), ...lines.map((line) => paint('dim', line))].join('\n');
}

function printFinding(result: Result, number: number, report: Report, paint: Paint): string {
  const { clause, expected = '', received = '', probably, script, evidence } = result;
  const exchanges = listExchanges(result).map(
    ({ request, outcome, time }) => `${request} → ${outcome}${time && `, ${paint('dim', time)}`}`,
  );
  const notMet = isKnown(result) ? 'KNOWN' : 'NOT MET';
  const word = isFailure(result) ? paint(['bold', 'red'], 'FAILED') : paint(['bold', 'yellow'], notMet);
  const details = [
    `${clause.id}  ${paint('dim', clause.heading)}`,
    `expected  ${expected}`,
    `received  ${received}`,
    ...printEntry(result).map((entry) => `known     ${entry}`),
    ...(probably === undefined ? [] : [`probably  ${probably}`]),
    ...printOrigin(result),
    ...exchanges,
    ...printTrace(result),
    ...(script ?? evidence?.curl ?? '').split('\n').filter((line) => line !== ''),
    ...printAlso(listFollowers(report, result)),
  ];
  return [`${word}  ${number}. ${paint('bold', clause.sentence)}`, ...details.flatMap(indent)].join('\n');
}

function printFault({ clause, reason = '' }: Result, paint: Paint): string {
  const word = paint(['bold', 'yellow'], 'FAULT OF THE SUITE');
  return [`${word}  ${clause.sentence}`, ...[clause.id, reason].flatMap(indent)].join('\n');
}

function printUntested({ level, reasons }: ReturnType<typeof groupUntested>[number], paint: Paint): string {
  const lines = [...reasons].flatMap(([reason, results]) => [
    reason,
    paint('dim', `  ${countClauses(results.length)}: ${listIds(results)}`),
  ]);
  return [paint('bold', titlesOfUntested[level]), ...lines.flatMap(indent)].join('\n');
}

function indent(text: string): string[] {
  return text.split('\n').map((line) => `  ${line}`);
}
