import { type Account, specification, toProse } from '../../rules/specification.ts';
import type { Report } from '../../runner/report.ts';
import { type Marked, markSentence, marks } from '../mark-sentence.ts';
import { html, type Markup, printSection } from './html.ts';

/** Prints the specification with a mark at each sentence, which leads to the clauses that test it. */
export function printSpecification(report: Report): Markup {
  // A run that could not begin has no results.
  if (report.outcomes.length === 0) return html``;
  const headings = Object.entries(specification).map(([heading, sentences]) => {
    const rows = Object.entries(sentences).map((row) => printSentence(row, report));
    return html`<h3>${heading}</h3>
<ul class="sentences">
${rows}</ul>
`;
  });
  return html`${printSection('specification', 'The specification, sentence by sentence', headings)}`;
}

function printSentence([sentence, account]: readonly [string, Account], report: Report): Markup {
  const text = toProse(sentence);
  if ('leftOut' in account && account.leftOut === 'introduces')
    return html`<li class="item muted">${text}</li>\n`;
  const marked = markSentence(account, report);
  const { results, leftOut } = marked;
  const clauses = html`<details><summary>${text}</summary>\n<ul>\n${printClauses(marked)}</ul></details>`;
  const hasSeveral = results.length + leftOut.length > 1;
  return html`<li class="item row">${hasSeveral ? clauses : html`<span>${text}</span>`}
${printMark(marked)}</li>
`;
}

/** Prints the mark as a link to the clause that decides about it. */
function printMark({ mark, note, results: [first] }: Marked): Markup {
  const { look, sign } = marks[mark];
  const words = `${sign} ${mark}`;
  return html`<span class="mark ${look}">${
    first === undefined ? words : html`<a href="#${first.clause.id}">${words}</a>`
  }${note !== '' && html`<small>${note}</small>`}</span>`;
}

function printClauses({ results, leftOut }: Marked): readonly Markup[] {
  const tested = results.map(({ clause, verdict, excused }) => {
    const count = excused === undefined ? '' : `, ${excused} excused`;
    return html`<li><a href="#${clause.id}">${clause.sentence}</a> <small>${verdict}${count}</small></li>\n`;
  });
  return [...tested, ...leftOut.map((id) => html`<li><code>${id}</code> <small>left out</small></li>\n`)];
}
