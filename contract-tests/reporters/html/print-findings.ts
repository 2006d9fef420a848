import type { Report, Result } from '../../runner/report.ts';
import { isFailure, isKnown, listFindings, listFollowers } from '../../runner/report.ts';
import { findValues } from '../describe-failures.ts';
import { countClauses, listExchanges, printTrace, type ShownExchange } from '../parts.ts';
import { printEntry, printOrigin, printReason } from '../print-summary.ts';
import { html, type Markup, printSection } from './html.ts';
import { markDifference } from './mark-difference.ts';

export function printFindings(report: Report): Markup {
  const all = listFindings(report);
  const findings = Map.groupBy(all, (one) => (isKnown(one) ? 'known' : one.clause.level));
  const print = (kind: 'known' | 'required' | 'recommended') =>
    (findings.get(kind) ?? []).map((result) => printFinding(result, all.indexOf(result) + 1, report));
  return html`${printSection('failed', 'Findings', print('required'))}
${printSection('known', 'Known failures', print('known'))}
${printSection('recommended', 'Recommendations not met', print('recommended'))}`;
}

function printFinding(result: Result, number: number, report: Report): Markup {
  const { clause } = result;
  const followers = listFollowers(report, result);
  return html`<article class="item finding" id="${clause.id}">
<p class="place">${clause.heading} · <a href="#${clause.id}"><code>${clause.id}</code></a></p>
<h3>${isFailure(result) ? html`<span class="fail">✗</span>` : html`<span class="warn">!</span>`} ${number}. ${clause.sentence}</h3>
${printEvidence(result)}
${followers.length > 0 && printFollowers(followers)}
</article>
`;
}

function printEvidence(result: Result): Markup {
  const { clause, expected = '', received = '', probably, evidence, script = evidence?.curl } = result;
  const [wanted, got] = markDifference(expected, received, findValues(result.failures ?? []));
  const exchanges = listExchanges(result);
  return html`${clause.quote !== undefined && html`<blockquote>Specification: “${clause.quote}”</blockquote>`}
<dl class="sides">
<div><dt>Expected</dt><dd>${wanted}</dd></div>
<div><dt>Received</dt><dd>${got}</dd></div>
</dl>
${printEntry(result).map((entry) => html`<p>Known: ${entry}</p>\n`)}${probably !== undefined && html`<p class="suspected">Probably ${probably}</p>`}${printOrigin(
  result,
).map(
  (sentence) => html`<p>${sentence}</p>
`,
)}
${exchanges.length > 0 && html`<ol class="timeline">\n${exchanges.map(printExchange)}</ol>`}
${printTrace(result).map((ids) => html`<p class="how">${ids}</p>\n`)}
${script !== undefined && printScript(script)}`;
}

function printExchange({ request, outcome, shows, time, evidence }: ShownExchange): Markup {
  const color = /^2/.test(outcome) ? 'pass' : /^4/.test(outcome) ? 'warn' : 'fail';
  return html`<li><details><summary><code>${request}</code> → <span class="${color}">${outcome}</span><code>${shows}</code>
<span class="when">${time}</span></summary>
<div class="messages"><pre>${evidence.request}</pre><pre>${evidence.response}</pre></div></details></li>
`;
}

function printScript(script: string): Markup {
  return html`<div class="code"><p><span>Reproduce it with the key in <code>ANIMAL_STORE_API_KEY</code></span>
<button type="button" class="copy" hidden>Copy</button></p><pre>${script}</pre></div>`;
}

function printFollowers(followers: readonly Result[]): Markup {
  return html`<details class="also"${followers.length <= 5 && html` open`}>
<summary>Also ${countClauses(followers.length)}, perhaps for the same reason</summary>
${followers.map(
  (result) => html`<details class="row" id="${result.clause.id}">
<summary><span>${result.clause.sentence} <code>${result.clause.id}</code>
<span class="values">${printReason(result)}</span></span></summary>
${printEvidence(result)}
</details>
`,
)}</details>`;
}
