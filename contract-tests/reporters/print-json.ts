import { concludeReport, type Report } from '../report.ts';

/** Prints a report as JSON, which `--baseline` reads. */
export function printJson(report: Report): string {
  return `${JSON.stringify({ conclusion: concludeReport(report), ...report }, null, 2)}\n`;
}
