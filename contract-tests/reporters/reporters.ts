import { toHarmless } from '../../common/text/harmless-text.ts';
import type { Report } from '../runner/report.ts';
import { describeReport } from './describe-report.ts';
import type { PrintOptions } from './parts.ts';
import { printAgent } from './print-agent.ts';
import { printGithub } from './print-github.ts';
import { printHtml } from './print-html.ts';
import { printJunit } from './print-junit.ts';
import { printMarkdown } from './print-markdown.ts';
import { printTerminal } from './print-terminal.ts';

export interface Reporter {
  /** Prints a report without control characters, except line feeds and, on a terminal, colours. */
  readonly print: (report: Report, options: PrintOptions) => string;
  /** Text for people: several may follow each other on stdout. */
  readonly isText: boolean;
}

/** The texts are made before they are made harmless, since they are made from the values in the failures. */
function describe(report: Report): ReturnType<typeof describeReport> {
  const clean = (_name: string, value: unknown) => (typeof value === 'string' ? toHarmless(value) : value);
  return JSON.parse(JSON.stringify(describeReport(report)), clean);
}

export const reporters: Readonly<Record<string, Reporter>> = {
  // Its colours are control characters, so only the report is made harmless.
  terminal: { print: (report, options) => printTerminal(describe(report), options), isText: true },
  // For coding agents.
  agent: { print: (report) => printAgent(describe(report)), isText: true },
  junit: { print: (report) => printJunit(describeReport(report)), isText: false },
  // Source: report.schema.json
  json: {
    print: (report) => toHarmless(`${JSON.stringify(describeReport(report), null, 2)}\n`),
    isText: false,
  },
  // Each text in it is made harmless where it is escaped.
  html: { print: (report) => printHtml(describeReport(report)), isText: false },
  github: { print: (report) => printGithub(describe(report)), isText: true },
  markdown: { print: (report) => printMarkdown(describe(report)), isText: true },
};
