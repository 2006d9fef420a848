import type { Outcome } from '../outcome.ts';
import { concludeReport, type Report } from '../report.ts';

/** Prints a report for a terminal: the clauses by heading, and for each that failed what shows it. */
export function printTerminal(report: Report): string {
  const headings = [...new Set(report.outcomes.map(({ clause }) => clause.heading))];
  const sections = headings.flatMap((heading) => {
    const outcomes = report.outcomes.filter(({ clause }) => clause.heading === heading);
    return ['', heading, ...outcomes.flatMap(printOutcome)];
  });
  return `${[...sections, '', printSummary(report)].join('\n')}\n`;
}

/** One sentence that says it all. */
export function printSummary(report: Report): string {
  const { outcomes, requests, animalsAdded, ms } = report;
  const count = (verdict: Outcome['verdict'], level = 'required') =>
    outcomes.filter((outcome) => outcome.verdict === verdict && outcome.clause.level === level).length;
  const advised = count('failed', 'advised');
  const parts = [
    `${count('passed')} passed`,
    `${count('failed')} failed`,
    `${count('skipped')} skipped`,
    ...(count('error') > 0 ? [`${count('error')} faults of the suite`] : []),
    ...(advised > 0 ? [`${advised} advised not followed`] : []),
  ];
  const cost = `${requests} requests, ${animalsAdded} animals added, ${(ms / 1000).toFixed(1)} s`;
  return `${report.baseUrl} ${concludeReport(report)}: ${parts.join(', ')} (${cost})`;
}

function printOutcome({ clause, verdict, expected, actual, evidence, reason }: Outcome): string[] {
  const isAdvice = verdict === 'failed' && clause.level === 'advised';
  const word = isAdvice ? 'advised' : verdict === 'failed' ? 'FAILED' : verdict;
  const detail = [
    ...(verdict === 'failed' ? [`expected ${expected}, got ${actual}`] : []),
    ...(evidence === undefined ? [] : [evidence.curl]),
    ...(reason === undefined ? [] : reason.split('\n')),
  ];
  const line = `  ${word.padEnd(8)} ${clause.id.padEnd(36)} ${clause.sentence}`;
  return [line, ...detail.map((text) => `           ${toOneLine(text)}`)];
}

function toOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}
