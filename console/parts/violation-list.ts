import { uncheckedTo, type Violation } from '../app/store.ts';
import { describeCount, html, shown, type View } from './parts.ts';

/** Numbers of rules and of places of one rule that are shown first. */
const [MOST_RULES, MOST_PLACES] = [5, 3];

/** The violations of a request, each rule and place once, errors first. */
export function ViolationList(props: {
  readonly id: number;
  readonly violations: readonly Violation[];
}): View {
  const { id, violations } = props;
  if (violations.length === 0)
    return (
      id < uncheckedTo.value &&
      html`<p class="muted">? The violations of this request are no longer kept.</p>`
    );
  const errors = violations.filter(isError);
  const warnings = violations.filter((one) => !isError(one));
  const groups = Map.groupBy(
    [...errors, ...warnings],
    ({ severity, place, rule }) => `${severity} ${place} ${rule}`,
  );
  const items = [...groups.values()].map((group) => html`<${Rule} group=${group} />`);
  const rest = items.slice(MOST_RULES);
  const counts = [
    errors.length > 0 && `${describeCount(errors.length, 'violation')} of the contract`,
    warnings.length > 0 && describeCount(warnings.length, 'warning'),
  ];
  return html`<h3 class=${errors.length ? 'fail' : 'warn'}>${errors.length ? '✗' : '!'} ${counts.filter(Boolean).join(', ')}</h3>
    <ul class="violations">${items.slice(0, MOST_RULES)}</ul>
    ${rest.length > 0 && html`<details class="more"><summary>${rest.length} more rules</summary><ul class="violations">${rest}</ul></details>`}`;
}

/** Violations of one rule at one place. */
function Rule({ group }: { readonly group: readonly [Violation, ...Violation[]] }): View {
  const [first] = group;
  const places = group.map(({ at }) => at.replace(/^\w+\.\w+\.?/, '')).filter(Boolean);
  const some = `${places.slice(0, MOST_PLACES).join(', ')}${places.length > MOST_PLACES ? ', …' : ''}`;
  const times = ` — ${group.length} times${some && `, at ${some}`}`;
  return html`<li class=${isError(first) ? 'fail' : 'warn'}>
    <code>${shown(describePlace(first))}</code> <span class="muted">${first.rule}${group.length > 1 && shown(times)}</span><br />
    ${shown(first.message)}</li>`;
}

const parts: Readonly<Record<string, string>> = { query: 'query parameter', path: 'path parameter' };

/** Describes the place of a violation, such as "createPet: body of the request, at name". */
function describePlace({ operation, method, place }: Violation): string {
  const [side = '', part = '', ...rest] = place.split('.');
  const name = rest.join('.');
  const isInBody = part === 'body';
  const noun = `${parts[part] ?? part}${name === '' || isInBody ? '' : ` ${name}`}`;
  const at = name !== '' && isInBody ? `, at ${name}` : '';
  return `${operation ?? method}: ${noun}${noun && ' of '}${`the ${side}`}${at}`;
}

/** Returns whether a violation is an error, not a warning. */
export function isError({ severity }: Violation): boolean {
  return severity === 'error';
}
