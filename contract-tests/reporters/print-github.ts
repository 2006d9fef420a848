import type { Report } from '../report.ts';
import { printSummary } from './print-summary.ts';

/** Prints a report as the commands that GitHub's runner turns into annotations. */
export function printGithub(report: Report): string {
  const lines = report.outcomes.flatMap(({ clause, verdict, expected, actual, evidence, reason = '' }) => {
    if (verdict === 'passed') return [];
    if (verdict === 'skipped') return [command('notice', `${clause.id} skipped`, reason)];
    if (verdict === 'error') return [command('error', `${clause.id}: a fault of the suite`, reason)];
    const told = [clause.sentence, `expected ${expected}, got ${actual}`, evidence?.curl].join('\n');
    return [command(clause.level === 'required' ? 'error' : 'warning', clause.id, told)];
  });
  return `${[...lines, printSummary(report)].join('\n')}\n`;
}

function command(kind: 'error' | 'warning' | 'notice', title: string, message: string): string {
  const escaped = escapeData(title).replaceAll(':', '%3A').replaceAll(',', '%2C');
  return `::${kind} title=${escaped}::${escapeData(message)}`;
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
