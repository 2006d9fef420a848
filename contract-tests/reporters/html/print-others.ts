import { groupUntested, type Report, type Result } from '../../runner/report.ts';
import { countClauses, listOptions, printCompared, titlesOfUntested } from '../parts.ts';
import { printEntryName, printNewEntries } from '../print-summary.ts';
import { type Content, html, type Markup, printSection } from './html.ts';

export function printOthers(report: Report): Markup {
  const { outcomes, leftOut, fixed = [] } = report;
  const faults = outcomes.filter(({ verdict }) => verdict === 'error');
  const passed = Map.groupBy(
    outcomes.filter(({ verdict }) => verdict === 'passed'),
    ({ clause }) => (clause.level === 'required' ? clause.heading : 'Recommendations met'),
  );
  const repaired = fixed.map((entry) => {
    const { clause } = entry;
    const name = printEntryName(entry);
    return html`<p class="item">✓ ${clause === undefined ? name : html`<a href="#${clause}">${name}</a>`}</p>\n`;
  });
  const untested = groupUntested(report).map(({ level, reasons }) => {
    const groups = [...reasons].map(([reason, results]) =>
      printFold(reason, results.map(printRow), level === 'required' && results.length <= 10),
    );
    return printSection(kinds[level], titlesOfUntested[level], groups);
  });
  const passedGroups = [...passed].map(([heading, results]) => printFold(heading, results.map(printRow)));
  const entries = printNewEntries(report);
  const excluded = leftOut.map((id) => html`<div class="item row"><span>– <code>${id}</code></span></div>\n`);
  return html`${printSection('error', 'Faults of the suite', faults.map(printFault))}
${printSection('passed', 'Fixed: remove from --known', repaired)}${entries !== '' && printMissing(entries)}
${untested}
${leftOut.length > 0 && printSection('not-tested', 'Left out', [printFold('Excluded by --only', excluded)])}
${printSection('passed', 'Passed', passedGroups)}
${printOptions(report)}`;
}

/** Prints the entries that would accept the new failures, so that they can be copied. */
function printMissing(entries: string): Content {
  return printSection('failed', 'Entries that --known lacks', [html`<pre>${entries}</pre>\n`]);
}

/** The filter of the page that shows the clauses that were not tested, by their level. */
const kinds = {
  required: 'not-tested',
  recommended: 'recommended',
} as const;

function printFold(title: string, rows: readonly Markup[], isUnfolded = false): Markup {
  return html`<details class="group"${isUnfolded && html` open`}><summary><span>${title}</span>
<span class="count">${countClauses(rows.length)}</span></summary>
${rows}</details>
`;
}

function printRow(result: Result): Markup {
  const { clause, verdict } = result;
  const isPassed = verdict === 'passed';
  const count = html`<span class="count">compared ${printCompared(result)}</span>`;
  return html`<div class="item row" id="${clause.id}"><span>${isPassed ? html`<span class="pass">✓</span>` : '–'}
${clause.sentence} <code>${clause.id}</code></span>${isPassed && count}</div>
`;
}

function printFault({ clause, reason = '' }: Result): Markup {
  return html`<article class="item finding" id="${clause.id}"><h3><span class="warn">?</span> ${clause.sentence}</h3>
<p class="place"><code>${clause.id}</code></p><pre>${reason}</pre></article>
`;
}

function printOptions({ options }: Report): Content {
  const given = listOptions(options).join(' · ');
  return printSection('options', 'Options', [html`<p class="how">${given}</p>\n`]);
}
