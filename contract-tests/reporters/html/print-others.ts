import { compareFailures, groupSkipped, type Report, type Result } from '../../report.ts';
import { printDuration } from '../list-exchanges.ts';
import { countClauses } from '../print-also.ts';
import { type Content, html, type Markup } from './html.ts';

/** Prints what is no finding: faults of the suite, what is gone, was skipped, has passed, and what it all has cost. */
export function printOthers(report: Report, baseline?: Report): Markup {
  const { outcomes } = report;
  const faults = outcomes.filter(({ verdict }) => verdict === 'error');
  const passed = Map.groupBy(
    outcomes.filter(({ verdict }) => verdict === 'passed'),
    ({ clause }) => clause.heading,
  );
  const gone = baseline === undefined ? [] : compareFailures(report, baseline).gone;
  const skipped = groupSkipped(report).map(({ meaning, reasons }) => {
    const groups = [...reasons].map(([reason, results]) => printGroup(reason, results, isWeakening(results)));
    return printSection('skipped', meaning, groups);
  });
  const passedGroups = [...passed].map(([heading, results]) => printGroup(heading, results));
  return html`${printSection('error', 'Faults of the suite', faults.map(printFault))}
${printSection('passed', 'Gone: failed in the earlier report, passed now', gone.map(printGone))}
${skipped}
${printSection('passed', 'Passed', passedGroups)}
${printCost(report)}`;
}

function printSection(kind: string, title: string, contents: readonly Markup[]): Markup | undefined {
  if (contents.length === 0) return undefined;
  return html`<section data-kind="${kind}"><h2>${title}</h2>
${contents}</section>`;
}

/** Whether a conclusion is weaker for them. */
function isWeakening(results: readonly Result[]): boolean {
  return results.some(({ isUntried, isUnproven }) => isUntried || isUnproven);
}

function printGroup(title: string, results: readonly Result[], isOpen = false): Markup {
  return html`<details class="group"${isOpen ? html` open` : undefined}><summary><span>${title}</span>
<span class="count">${countClauses(results.length)}</span></summary>
${results.map(printRow)}</details>
`;
}

function printRow({ clause, verdict, exchanges }: Result): Markup {
  const told: Content =
    verdict === 'passed'
      ? html`<span class="count">${exchanges} exchange${exchanges === 1 ? '' : 's'}</span>`
      : undefined;
  return html`<div class="item row" id="${clause.id}"><span>${verdict === 'passed' ? html`<span class="pass">✓</span>` : '–'}
${clause.sentence} <code>${clause.id}</code></span>${told}</div>
`;
}

function printGone({ clause }: Result): Markup {
  return html`<p class="item">✓ <a href="#${clause.id}">${clause.sentence}</a></p>\n`;
}

function printFault({ clause, reason = '' }: Result): Markup {
  return html`<article class="item finding" id="${clause.id}"><h3><span class="warn">?</span> ${clause.sentence}</h3>
<p class="id"><code>${clause.id}</code></p><pre>${reason}</pre></article>
`;
}

function printCost({ outcomes }: Report): Markup {
  const rows = outcomes
    .toSorted((one, other) => other.requests - one.requests)
    .map(
      ({ clause, requests, exchanges, ms }) =>
        html`<tr class="item"><th scope="row"><code>${clause.id}</code></th><td>${requests}</td><td>${exchanges}</td><td>${printDuration(ms)}</td></tr>
`,
    );
  return html`<section data-kind="cost"><h2>Cost</h2>
<details class="group"><summary>Requests and time by clause</summary>
<table><thead><tr><th scope="col">Clause</th><th scope="col">Requests</th><th scope="col">Exchanges looked at</th><th scope="col">Time</th></tr></thead>
<tbody>
${rows}</tbody></table></details></section>`;
}
