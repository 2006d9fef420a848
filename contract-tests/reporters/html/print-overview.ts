import { specification } from '../../rules/specification.ts';
import { countResults, isFailure, listFindings, type Report } from '../../runner/report.ts';
import { looks, printDuration, printUtc } from '../parts.ts';
import { printDisturbances, printPerhaps, printVerdict } from '../print-summary.ts';
import { type Content, html, type Markup } from './html.ts';

export function printOverview(report: Report): Markup {
  const { verdict } = report;
  const { look, mark } = looks[verdict];
  const findings = listFindings(report).filter(isFailure);
  const list = findings.map(({ clause }) => html`<li><a href="#${clause.id}">${clause.sentence}</a></li>\n`);
  return html`<header>
<h1 class="conclusion ${look}"><span>${mark} ${verdict.replace(/^./, (char) => char.toUpperCase())}</span>
<span class="why">${printVerdict(report).slice(`${verdict}: `.length)}</span></h1>
${report.reason !== undefined && verdict !== 'no verdict' && html`<p class="reason">${report.reason}</p>`}
${printFacts(report)}${printDisturbances(report).map((line) => html`\n<p class="how">${line}</p>`)}
${findings.length > 1 && html`<ol class="contents">\n${list}</ol>`}
</header>
${printTools(report)}`;
}

function printTime(iso: string): Markup {
  return html`<time datetime="${iso}">${printUtc(iso)}</time>`;
}

function printFacts(report: Report): Markup {
  // A run that could not start has none, and no options.
  const hasTarget = report.baseUrl !== '';
  const facts: readonly (readonly [string, Content])[] = [
    ...(hasTarget ? [['Target', html`<code>${report.baseUrl}</code>`] as const] : []),
    ['Started', printTime(report.startedAt)],
    ['Took', printDuration(report.ms)],
    ...(report.run === undefined ? [] : [['Run, in the User-Agent', report.run] as const]),
    ['Requests', report.requests],
    ['Animals added', printAdded(report)],
    ...(hasTarget ? [['Mode', report.options.allowsWrites ? 'writes' : 'read-only'] as const] : []),
    ['Suite', html`${report.suite}, contract ${report.contract}, Node.js ${report.node}`],
  ];
  return html`<dl class="facts">
${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>`;
}

function countSentences(): number {
  return Object.values(specification).flatMap((sentences) => Object.keys(sentences)).length;
}

function printAdded(report: Report): Content {
  const { added, animalsAdded } = report;
  if (added.length === 0) return `${animalsAdded}${printPerhaps(report)}`;
  return html`<details><summary>${animalsAdded}${printPerhaps(report)}</summary>${added.join(', ')}</details>`;
}

function printTools(report: Report): Markup {
  const counts = countResults(report);
  const filters: readonly (readonly [id: string, label: string, count: number])[] = [
    ['all', 'All', counts.passed + counts.failed + counts.notTested],
    ['failed', 'Failed', counts.failed],
    ['known', 'Known', counts.known],
    ['recommended', 'Recommendations not met', counts.notMet],
    ['specification', 'Sentences', countSentences()],
    ['error', 'Faults of the suite', counts.errors],
    ['not-tested', 'Not tested', counts.notTested],
    ['passed', 'Passed', counts.passed],
  ];
  const hasSeveral = listFindings(report).length > 1;
  const hasResults = report.outcomes.length > 0;
  const shown = filters.filter(([id, , many]) => (many > 0 && hasResults) || id === 'all');
  return html`<search class="tools">
<fieldset><legend>Show</legend>
${shown.map(
  ([id, label, many]) =>
    html`<label><input type="radio" name="show" id="show-${id}"${id === 'all' && html` checked`}>${label} <b>${many}</b></label>\n`,
)}</fieldset>
<input type="search" aria-label="Search" placeholder="Search ( / )" hidden>${
    hasSeveral &&
    html`
<span class="keys" hidden><kbd>j</kbd> <kbd>k</kbd> next, previous</span>`
  }
<button type="button" class="theme" hidden><span class="to-light">Light</span><span class="to-dark">Dark</span></button>
</search>
<p class="nothing" role="status"></p>`;
}
