import { compareFailures, concludeReport, isFailure, listHeadlines, type Report } from '../../report.ts';
import { printDuration } from '../list-exchanges.ts';
import { countClauses } from '../print-also.ts';
import { type Content, html, type Markup } from './html.ts';

/** How each conclusion looks: its colour, its mark. */
const looks = {
  conforms: ['pass', '✓'],
  'conforms in what could be tried': ['warn', '✓'],
  'does not conform': ['fail', '✗'],
  'could not tell': ['warn', '?'],
} as const;

/** Prints what is seen first: the conclusion, what was tried and how, links to the findings, and the counts that filter. */
export function printOverview(report: Report, baseline?: Report): Markup {
  const conclusion = concludeReport(report);
  const [look, mark] = looks[conclusion];
  const headlines = listHeadlines(report).filter(isFailure);
  const links = headlines.map(
    ({ clause }) => html`<li><a href="#${clause.id}">${clause.sentence}</a></li>\n`,
  );
  return html`<header>
<h1 class="conclusion ${look}"><span>${mark} ${conclusion.replace(/^./, (char) => char.toUpperCase())}</span>
<span class="why">${printWhy(report)}</span></h1>
${report.reason === undefined ? undefined : html`<p class="reason">${report.reason}</p>`}
${printFacts(report)}
${baseline && printComparison(report, baseline)}
${headlines.length > 1 ? html`<ol class="contents">\n${links}</ol>` : undefined}
${printTools(report, baseline)}
</header>`;
}

/** Prints what the conclusion comes from, in a few words. */
function printWhy(report: Report): string {
  const { outcomes } = report;
  const findings = listHeadlines(report).filter(isFailure).length;
  const count = (isMeant: (result: Report['outcomes'][number]) => boolean | undefined) =>
    countClauses(outcomes.filter(isMeant).length);
  if (report.reason !== undefined) return 'nothing was tried';
  const isFaulty = outcomes.some(({ verdict }) => verdict === 'error');
  const reasons = {
    conforms: `${count(({ verdict }) => verdict === 'passed')} passed`,
    'conforms in what could be tried': `${count(({ isUnproven }) => isUnproven)} could not be tried`,
    'does not conform': `${findings} finding${findings === 1 ? '' : 's'}`,
    'could not tell': isFaulty
      ? 'a fault of the suite'
      : `${count(({ verdict }) => verdict === 'skipped')} not tried`,
  };
  return reasons[concludeReport(report)];
}

/** Prints a time, which the page shows in the zone of its reader. */
function printTime(iso: string): Markup {
  return html`<time datetime="${iso}">${iso.replace('T', ' ').replace(/(?:\.\d+)?Z$/, ' UTC')}</time>`;
}

function printFacts({
  baseUrl,
  startedAt,
  ms,
  requests,
  animalsAdded,
  options,
  suite,
  node,
}: Report): Markup {
  const { allowsWrites, seed, runs, concurrency, timeout, deadline, retries, settle, only } = options;
  const facts: readonly (readonly [string, Content])[] = [
    ['Target', html`<code>${baseUrl}</code>`],
    ['Started', printTime(startedAt)],
    ['Took', printDuration(ms)],
    ['Requests', requests],
    ['Animals added', animalsAdded],
    ['Mode', allowsWrites ? 'writes' : 'read-only'],
    ['Suite', html`${suite}, Node.js ${node}`],
  ];
  const how = [
    `seed ${seed}`,
    `${runs} cases for each property`,
    `at most ${concurrency} requests at once`,
    `${printDuration(timeout)} for an answer`,
    `${printDuration(deadline)} for the run`,
    `${retries} more tries after a 429`,
    `${printDuration(settle)} for a list to have an animal`,
    ...(only.length === 0 ? [] : [`only ${only.join(', ')}`]),
  ];
  return html`<dl class="facts">
${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>
<p class="how">${how.join(' · ')}</p>`;
}

function printComparison(report: Report, baseline: Report): Markup {
  const { appeared, known, gone } = compareFailures(report, baseline);
  const counts = `${appeared.length} new, ${known.length} known, ${gone.length} gone`;
  return html`<p>Beside the report of ${printTime(baseline.startedAt)}: <strong>${counts}</strong></p>`;
}

/** What can be shown alone works without any script; the search and the theme need one. */
function printTools(report: Report, baseline?: Report): Markup {
  const { outcomes } = report;
  const count = (wanted: string) => outcomes.filter(({ verdict }) => verdict === wanted).length;
  const failed = outcomes.filter(isFailure).length;
  const filters: readonly (readonly [id: string, label: string, count: number])[] = [
    ['all', 'All', outcomes.length],
    ['new', 'New', baseline === undefined ? 0 : compareFailures(report, baseline).appeared.length],
    ['failed', 'Failed', failed],
    ['advised', 'Advised', count('failed') - failed],
    ['error', 'Faults of the suite', count('error')],
    ['skipped', 'Not tried', count('skipped')],
    ['passed', 'Passed', count('passed')],
  ];
  const shown = filters.filter(([id, , many]) => many > 0 || id === 'all');
  return html`<div class="tools">
<fieldset><legend>Show</legend>
${shown.map(
  ([id, label, many]) =>
    html`<label><input type="radio" name="show" id="show-${id}"${id === 'all' ? html` checked` : undefined}>${label} <b>${many}</b></label>\n`,
)}</fieldset>
<input type="search" aria-label="Search" placeholder="Search ( / )" hidden>
<button type="button" class="theme" hidden>Dark</button>
</div>
<p class="nothing" role="status"></p>`;
}
