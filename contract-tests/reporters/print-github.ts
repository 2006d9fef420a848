import {
  concludeReport,
  isFailure,
  listFollowers,
  listHeadlines,
  printReason,
  printSummary,
  type Report,
  type Result,
} from '../report.ts';
import { printAlso } from './print-also.ts';
import type { PrintOptions } from './print-options.ts';

/**
 * Prints a report as the commands that GitHub's runner turns into annotations: one for each failure that stands for itself, and
 * beside an earlier report for what is new alone.
 */
export function printGithub(report: Report, { baseline }: PrintOptions): string {
  const before = new Map(baseline?.outcomes.map(({ clause, verdict }) => [clause.id, verdict]));
  const outcomes = report.outcomes.filter(({ clause, verdict }) => before.get(clause.id) !== verdict);
  const headlines = listHeadlines({ outcomes }).map((result) =>
    printFailure(result, listFollowers({ outcomes }, result)),
  );
  const { reason } = report;
  const untold = reason === undefined ? [] : [printCommand('error', concludeReport(report), reason)];
  return `${[...untold, ...headlines, ...outcomes.flatMap(printUntold), printSummary(report)].join('\n')}\n`;
}

function printFailure(result: Result, followers: readonly Result[]): string {
  const { clause, evidence, script = evidence?.curl ?? '' } = result;
  const told = [clause.sentence, printReason(result), script, ...printAlso(followers)];
  return printCommand(isFailure(result) ? 'error' : 'warning', clause.id, told.join('\n'));
}

function printUntold({ clause, verdict, reason = '' }: Result): string[] {
  if (verdict === 'skipped') return [printCommand('notice', `${clause.id} skipped`, reason)];
  return verdict === 'error' ? [printCommand('error', `${clause.id}: a fault of the suite`, reason)] : [];
}

function printCommand(kind: 'error' | 'warning' | 'notice', title: string, message: string): string {
  const escapeData = (text: string) =>
    text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  return `::${kind} title=${escapeData(title).replaceAll(':', '%3A').replaceAll(',', '%2C')}::${escapeData(message)}`;
}
