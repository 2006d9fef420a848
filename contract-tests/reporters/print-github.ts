import type { Report, Result } from '../runner/report.ts';
import { groupUntested, isKnown, listFindings, listFollowers } from '../runner/report.ts';
import { countClauses, listIds, printAlso, printTrace, titlesOfUntested } from './parts.ts';
import { printReason, printSummary } from './print-summary.ts';

/** Prints annotations of GitHub Actions: one for each finding that is not known. */
export function printGithub(report: Report): string {
  const outcomes = report.outcomes.filter((result) => !isKnown(result));
  const shown = [...listFindings({ outcomes }), ...outcomes.filter(({ verdict }) => verdict === 'error')];
  const { reason } = report;
  const title = report.verdict === 'no verdict' ? report.verdict : 'the run ended early';
  const lines = [
    ...(reason === undefined ? [] : [printCommand('error', title, reason)]),
    ...shown.map((result) => printAnnotation(result, listFollowers({ outcomes }, result))),
    ...groupUntested({ outcomes }).flatMap(printUntested),
    printSummary(report),
  ];
  return `${lines.join('\n')}\n`;
}

function printAnnotation(result: Result, followers: readonly Result[]): string {
  const { clause, verdict, evidence, script = evidence?.curl ?? '' } = result;
  const start = verdict === 'error' ? `${clause.id}: fault of the suite` : clause.id;
  const more = [script, ...printTrace(result), ...printAlso(followers)];
  const lines = [`${start}: ${printReason(result)}`, ...more].filter(Boolean);
  const isWarning = verdict === 'failed' && clause.level === 'recommended';
  return printCommand(isWarning ? 'warning' : 'error', clause.sentence, lines.join('\n'));
}

/** Prints one notice for each reason, because the runner shows at most ten of a kind. */
function printUntested({ level, reasons }: ReturnType<typeof groupUntested>[number]): string[] {
  return [...reasons].map(([reason, results]) =>
    printCommand(
      'notice',
      `${titlesOfUntested[level]}: ${countClauses(results.length)}`,
      `${reason}\n${listIds(results)}`,
    ),
  );
}

function printCommand(kind: 'error' | 'warning' | 'notice', title: string, message: string): string {
  const escapeData = (text: string) => text.replaceAll('%', '%25').replaceAll('\n', '%0A');
  return `::${kind} title=${escapeData(title).replaceAll(':', '%3A').replaceAll(',', '%2C')}::${escapeData(message)}`;
}
