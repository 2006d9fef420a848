import { concludeReport, isFailure, printReason, printSummary, type Report, type Result } from '../report.ts';

/** Prints a report as the commands that GitHub's runner turns into annotations. */
export function printGithub(report: Report): string {
  const { outcomes, reason } = report;
  const untold = reason === undefined ? [] : [printCommand('error', concludeReport(report), reason)];
  return `${[...untold, ...outcomes.flatMap(printResult), printSummary(report)].join('\n')}\n`;
}

function printResult(result: Result): string[] {
  const { clause, verdict, evidence } = result;
  const reason = printReason(result);
  if (verdict === 'passed') return [];
  if (verdict === 'skipped') return [printCommand('notice', `${clause.id} skipped`, reason)];
  if (verdict === 'error') return [printCommand('error', `${clause.id}: a fault of the suite`, reason)];
  const told = [clause.sentence, reason, evidence?.curl].join('\n');
  return [printCommand(isFailure(result) ? 'error' : 'warning', clause.id, told)];
}

function printCommand(kind: 'error' | 'warning' | 'notice', title: string, message: string): string {
  const escapeData = (text: string) =>
    text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  return `::${kind} title=${escapeData(title).replaceAll(':', '%3A').replaceAll(',', '%2C')}::${escapeData(message)}`;
}
