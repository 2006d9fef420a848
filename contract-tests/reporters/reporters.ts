import { concludeReport, type Report } from '../report.ts';
import { printGithub } from './print-github.ts';
import { printHtml } from './print-html.ts';
import { printJunit } from './print-junit.ts';
import { printTerminal } from './print-terminal.ts';

/** How a report can be printed. */
export interface Reporter {
  readonly print: (report: Report) => string;
  /** Whether it is text for people, which on stdout may follow another such text. */
  readonly isText: boolean;
}

/** Every reporter, by the name that the command line has for it. */
export const reporters: Readonly<Record<string, Reporter>> = {
  terminal: { print: printTerminal, isText: true },
  junit: { print: printJunit, isText: false },
  json: { print: printJson, isText: false },
  html: { print: printHtml, isText: false },
  github: { print: printGithub, isText: true },
};

/** Prints a report as JSON, which `--baseline` reads. */
function printJson(report: Report): string {
  return `${JSON.stringify({ conclusion: concludeReport(report), ...report }, null, 2)}\n`;
}
