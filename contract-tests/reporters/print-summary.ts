import { concludeReport, type Report, type Result } from '../report.ts';

/** The conclusion, the counts and the cost, in one sentence. */
export function printSummary(report: Report): string {
  const { outcomes, requests, animalsAdded, ms } = report;
  const count = (verdict: Result['verdict'], level = 'required') =>
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
