import { BrokenRule } from './broken-rule.ts';
import type { Row, Violation } from './data.ts';
import { findWrong, isError, readOthers } from './found.ts';
import { html, type View } from './html.ts';
import { shown } from './parts.ts';

/** How many kinds of violations are shown at first, and how many places of one. */
const [MOST_KINDS, MOST_PLACES] = [5, 3];

/** What is wrong with a request: each place and rule once, errors first. */
export function ViolationList({ row }: { readonly row: Row }): View {
  readOthers(row);
  const { violations = [], isUnsure } = row;
  const wrong = findWrong(row);
  if (wrong === undefined) {
    return (
      isUnsure &&
      html`<p class="muted">? Whether it broke the contract is not known any more: violations of that time are forgotten.</p>`
    );
  }
  const kinds = Map.groupBy(
    violations.toSorted((one, other) => Number(isError(other)) - Number(isError(one))),
    ({ severity, place, rule }) => `${severity} ${place} ${rule}`,
  );
  const items = [...kinds.values()].map((all) => html`<${Kind} all=${all} />`);
  const rest = items.slice(MOST_KINDS);
  return html`<h3 class=${isError(wrong.worst) ? 'fail' : 'warn'}>${describeCount(row)}</h3>
    <ul class="violations">${items.slice(0, MOST_KINDS)}</ul>
    ${rest.length > 0 && html`<details class="more"><summary>${rest.length} more kinds</summary><ul class="violations">${rest}</ul></details>`}`;
}

/** Such as "✗ 2 violations of the contract, 1 warning". */
function describeCount(row: Row): View {
  const { worst, count, isAtLeast } = findWrong(row) ?? { count: 0 };
  const warnings = (row.violations ?? []).filter((one) => !isError(one)).length;
  const [errors, least] = [count - warnings, isAtLeast ? 'at least ' : ''];
  if (worst === undefined || !isError(worst))
    return `! ${least}${count} ${count === 1 ? 'warning' : 'warnings'}`;
  const more = warnings === 0 ? '' : `, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`;
  return `✗ ${least}${errors} ${errors === 1 ? 'violation' : 'violations'} of the contract${more}`;
}

/** Violations of one rule at one place; the first speaks for all. */
function Kind({ all }: { readonly all: readonly Violation[] }): View {
  const [first] = all;
  if (first === undefined) return undefined;
  const places = all.map(({ at }) => at.replace(/^\w+\.\w+\.?/, '')).filter(Boolean);
  const some = `${places.slice(0, MOST_PLACES).join(', ')}${places.length > MOST_PLACES ? ', …' : ''}`;
  const times = `${all.length} times${some && `, at ${some}`}`;
  return html`<li class=${isError(first) ? 'fail' : 'warn'}>
    <code>${shown(describePlace(first))}</code> <span class="muted">${first.rule}${all.length > 1 && ` — ${shown(times)}`}</span><br />
    ${shown(first.message)}<${BrokenRule} violation=${first} /></li>`;
}

const sides: Readonly<Record<string, string>> = { request: 'the request', response: 'the answer' };
const parts: Readonly<Record<string, string>> = { query: 'query parameter', path: 'path parameter' };

/** Where a violation is, such as "createPet: body of the request, at name". */
function describePlace({ operation, method, place }: Violation): string {
  const [side = '', part = '', ...rest] = place.split('.');
  const name = rest.join('.');
  const what = `${parts[part] ?? part}${name === '' || part === 'body' ? '' : ` ${name}`}`;
  const at = name !== '' && part === 'body' ? `, at ${name}` : '';
  return `${operation ?? method}: ${what}${what && ' of '}${sides[side] ?? side}${at}`;
}
