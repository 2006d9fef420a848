import type { Report } from '../report.ts';
import { printGithub } from './print-github.ts';
import { printHtml } from './print-html.ts';
import { printJson } from './print-json.ts';
import { printJunit } from './print-junit.ts';
import { printTerminal } from './print-terminal.ts';

/** How a report can be printed, by the name that the command line has for it. */
export const reporters: Readonly<Record<string, (report: Report) => string>> = {
  terminal: printTerminal,
  junit: printJunit,
  json: printJson,
  html: printHtml,
  github: printGithub,
};
