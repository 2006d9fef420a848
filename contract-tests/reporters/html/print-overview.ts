import { countResults, isFailure, listFindings, type Report } from '../../runner/report.ts';
import { looks, printDuration } from '../parts.ts';
import { printAlsoTested, printSlowed, printVerdict } from '../print-summary.ts';
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
${printFacts(report)}${[...printAlsoTested(report), ...printSlowed(report)].map((line) => html`\n<p class="how">${line}</p>`)}
${findings.length > 1 && html`<ol class="contents">\n${list}</ol>`}
${printTools(report)}
</header>`;
}

function printTime(iso: string): Markup {
  return html`<time datetime="${iso}">${iso.replace('T', ' ').replace(/(?:\.\d+)?Z$/, ' UTC')}</time>`;
}

function printFacts(report: Report): Markup {
  const { allowsWrites, seed, runs, concurrency, timeout, deadline, retries, settle } = report.options;
  const facts: readonly (readonly [string, Content])[] = [
    ['Target', html`<code>${report.baseUrl}</code>`],
    ['Started', printTime(report.startedAt)],
    ['Took', printDuration(report.ms)],
    ['Requests', report.requests],
    ['Animals added', printAdded(report)],
    ['Mode', allowsWrites ? 'writes' : 'read-only'],
    ['Suite', html`${report.suite}, Node.js ${report.node}`],
  ];
  const how = [
    `seed ${seed}`,
    `${runs} cases for each property`,
    `at most ${concurrency} requests at once`,
    `${printDuration(timeout)} for a response`,
    `${printDuration(deadline)} for the run`,
    `${retries} retries after a 429`,
    `${printDuration(settle)} until a list has a new animal`,
  ];
  return html`<dl class="facts">
${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>
<p class="how">${how.join(' · ')}</p>`;
}

function printAdded({ animalsAdded, added }: Report): Content {
  if (added.length === 0) return animalsAdded;
  return html`<details><summary>${animalsAdded}</summary>${added.join(', ')}</details>`;
}

function printTools(report: Report): Markup {
  const counts = countResults(report);
  const filters: readonly (readonly [id: string, label: string, count: number])[] = [
    ['all', 'All', counts.passed + counts.failed + counts.notTested],
    ['failed', 'Failed', counts.failed],
    ['known', 'Known', counts.known],
    ['recommended', 'Recommendations not met', counts.notMet],
    ['error', 'Faults of the suite', counts.errors],
    ['not-tested', 'Not tested', counts.notTested],
    ['not-applicable', 'Not applicable', counts.notApplicable],
    ['passed', 'Passed', counts.passed],
  ];
  const shown = filters.filter(([id, , many]) => many > 0 || id === 'all');
  return html`<div class="tools">
<fieldset><legend>Show</legend>
${shown.map(
  ([id, label, many]) =>
    html`<label><input type="radio" name="show" id="show-${id}"${id === 'all' && html` checked`}>${label} <b>${many}</b></label>\n`,
)}</fieldset>
<input type="search" aria-label="Search" placeholder="Search ( / )" hidden>
<button type="button" class="theme" hidden><span class="to-light">Light</span><span class="to-dark">Dark</span></button>
</div>
<p class="nothing" role="status"></p>`;
}
