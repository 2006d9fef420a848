import { showControls, toHarmless, toHarmlessTexts } from '../../common/harmless-text.ts';
import type { Report } from '../report.ts';
import { printGithub } from './print-github.ts';
import { printHtml } from './print-html.ts';
import { printJunit } from './print-junit.ts';
import type { PrintOptions } from './print-options.ts';
import { printTerminal } from './print-terminal.ts';

/** How a report can be printed. */
export interface Reporter {
  /** Prints it without any control but line feeds and, where the stream is a terminal, colours, whatever a deployment has sent. */
  readonly print: (report: Report, options: PrintOptions) => string;
  /** Whether it is text for people, which on stdout may follow another such text. */
  readonly isText: boolean;
}

/** Every reporter, by the name that the command line has for it. */
export const reporters: Readonly<Record<string, Reporter>> = {
  // Its colours are controls, and so only what it is made of is made harmless.
  terminal: { print: (report, options) => printTerminal(toHarmlessTexts(report), options), isText: true },
  junit: { print: printJunit, isText: false },
  json: { print: (report) => toHarmless(printJson(report)), isText: false },
  html: { print: (report, options) => showControls(printHtml(report, options)), isText: false },
  // Its own commands stay.
  github: { print: (report, options) => printGithub(toHarmlessTexts(report), options), isText: true },
};

/** Prints a report as JSON, which `--baseline` reads. Its form is that of report.schema.json. */
function printJson(report: Report): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
