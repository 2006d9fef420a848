import { escapeXml as escapeText } from '../../common/print-junit.ts';
import { concludeReport, printReason, printSummary, type Report, type Result } from '../report.ts';

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.4rem; overflow-wrap: anywhere; } h2 { display: inline; font-size: 1.1rem; }
.conclusion { padding: .75rem 1rem; border-radius: .5rem; color: #fff; font-weight: 600; }
.conforms { background: #1a7f37; } .broken { background: #b3261e; } .unknown { background: #7a5b00; }
details, .row { border-left: .3rem solid #888; padding: .3rem .75rem; margin: .25rem 0; }
.heading { border-left-width: .6rem; margin: .75rem 0; } .count { white-space: nowrap; }
.passed { border-color: #1a7f37; } .failed { border-color: #b3261e; } .skipped { border-color: #888; }
.advised, .error { border-color: #7a5b00; }
summary { cursor: pointer; } code { font-size: .85em; overflow-wrap: anywhere; }
pre { padding: .5rem; background: #8882; border-radius: .3rem; font-size: .85rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.verdict { font-weight: 600; margin-right: .5rem; }
`;

/** What stands out most of a heading comes first. */
const looks = ['failed', 'error', 'advised', 'skipped', 'passed'] as const;

type Look = (typeof looks)[number];

/**
 * Prints a report as one HTML page that needs nothing else: the conclusion, then each heading of the specification, unfolded
 * where a clause failed, with its clauses, and under these their evidence, folded.
 */
export function printHtml(report: Report): string {
  const headings = Map.groupBy(report.outcomes, ({ clause }) => clause.heading);
  const conclusion = concludeReport(report);
  const classes = {
    conforms: 'conforms',
    'conforms in what could be tried': 'conforms',
    'does not conform': 'broken',
    'could not tell': 'unknown',
  };
  const title = escapeText(`${report.baseUrl} ${conclusion}`);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${STYLE}</style>
<h1>${escapeText(report.baseUrl)}</h1>
<p class="conclusion ${classes[conclusion]}">${escapeText(printSummary(report).slice(report.baseUrl.length + 1))}</p>
<p>${escapeText(report.startedAt)}</p>
${[...headings].map(printHeading).join('\n')}
</html>
`;
}

function printHeading([heading, results]: [string, readonly Result[]]): string {
  const of = (look: Look) => results.filter((result) => lookOf(result) === look);
  const worst = looks.find((look) => of(look).length > 0) ?? 'passed';
  const isOpen = worst === 'failed' || worst === 'error';
  const passed = of('passed').map(printResult).join('\n');
  const others = looks.slice(0, -1).flatMap(of).map(printResult).join('\n');
  const count = `${of('passed').length} of ${results.length} passed`;
  return `<details class="heading ${worst}"${isOpen ? ' open' : ''}>
<summary><h2>${escapeText(heading)}</h2> <span class="count">${count}</span></summary>
${others}
${isOpen && passed !== '' ? `<details class="passed"><summary>${of('passed').length} passed</summary>${passed}</details>` : passed}
</details>`;
}

function lookOf({ clause, verdict }: Result): Look {
  return verdict === 'failed' && clause.level === 'advised' ? 'advised' : verdict;
}

function printResult(result: Result): string {
  const { clause, verdict, evidence } = result;
  const look = lookOf(result);
  const head = `<span class="verdict">${look}</span> ${escapeText(clause.sentence)} <code>${escapeText(clause.id)}</code>`;
  if (verdict === 'passed') return `<div class="row ${look}">${head}</div>`;
  const reason = printReason(result);
  const sentence = verdict === 'failed' ? `${reason.replace('e', 'E')}.` : reason;
  const shown = evidence === undefined ? [] : [evidence.request, evidence.response, evidence.curl];
  const parts = [`<p>${escapeText(sentence)}</p>`, ...shown.map((text) => `<pre>${escapeText(text)}</pre>`)];
  return `<details class="${look}"><summary>${head}</summary>${parts.join('\n')}</details>`;
}
