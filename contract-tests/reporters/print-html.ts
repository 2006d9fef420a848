import type { Outcome } from '../outcome.ts';
import { concludeReport, type Report } from '../report.ts';
import { escapeMarkup as escapeText } from './escape-markup.ts';
import { printSummary } from './print-terminal.ts';

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.4rem; overflow-wrap: anywhere; } h2 { font-size: 1.1rem; margin: 1.5rem 0 .5rem; }
.conclusion { padding: .75rem 1rem; border-radius: .5rem; color: #fff; font-weight: 600; }
.conforms { background: #1a7f37; } .broken { background: #b3261e; } .unknown { background: #7a5b00; }
details, .row { border-left: .3rem solid #888; padding: .3rem .75rem; margin: .25rem 0; }
.passed { border-color: #1a7f37; } .failed { border-color: #b3261e; } .skipped { border-color: #888; }
.advised { border-color: #7a5b00; } .error { border-color: #7a5b00; }
summary { cursor: pointer; } code { font-size: .85em; overflow-wrap: anywhere; }
pre { overflow-x: auto; padding: .5rem; background: #8882; border-radius: .3rem; font-size: .85rem; }
.verdict { display: inline-block; min-width: 4.5rem; font-weight: 600; }
@media (max-width: 30rem) { .verdict { display: block; } }
`;

/** Prints a report as one HTML page that needs nothing else: the conclusion, then the clauses by heading, evidence folded. */
export function printHtml(report: Report): string {
  const headings = [...new Set(report.outcomes.map(({ clause }) => clause.heading))];
  const conclusion = concludeReport(report);
  const look = { conforms: 'conforms', 'does not conform': 'broken', 'could not tell': 'unknown' }[
    conclusion
  ];
  const title = escapeText(`${report.baseUrl} ${conclusion}`);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${STYLE}</style>
<h1>${escapeText(report.baseUrl)}</h1>
<p class="conclusion ${look}">${escapeText(printSummary(report).slice(report.baseUrl.length + 1))}</p>
<p>${escapeText(report.startedAt)}</p>
${headings.map((heading) => printHeading(heading, report.outcomes)).join('\n')}
</html>
`;
}

function printHeading(heading: string, all: readonly Outcome[]): string {
  const outcomes = all.filter(({ clause }) => clause.heading === heading);
  const passed = outcomes.filter(({ verdict }) => verdict === 'passed').length;
  return `<h2>${escapeText(heading)} (${passed} of ${outcomes.length} passed)</h2>
${outcomes.map(printOutcome).join('\n')}`;
}

function printOutcome(outcome: Outcome): string {
  const { clause, verdict, expected, actual, evidence, reason } = outcome;
  const look = verdict === 'failed' && clause.level === 'advised' ? 'advised' : verdict;
  const head = `<span class="verdict">${look}</span> ${escapeText(clause.sentence)} <code>${escapeText(clause.id)}</code>`;
  if (verdict === 'passed') return `<div class="row ${look}">${head}</div>`;
  const parts = [
    ...(verdict === 'failed'
      ? [`<p>Expected ${escapeText(expected ?? '')}, got ${escapeText(actual ?? '')}.</p>`]
      : []),
    ...(reason === undefined ? [] : [`<p>${escapeText(reason)}</p>`]),
    ...(evidence === undefined
      ? []
      : [evidence.request, evidence.response, evidence.curl].map((text) => `<pre>${escapeText(text)}</pre>`)),
  ];
  return `<details class="${look}"><summary>${head}</summary>${parts.join('\n')}</details>`;
}
