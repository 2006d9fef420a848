import { uncheckedTo, type Violation } from '../app/store.ts';
import { describeCount, html, shown, type View } from './parts.ts';

const MOST_PLACES = 3;

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
  const { error = [], warning = [] } = Object.groupBy(violations, ({ severity }) => severity);
  const groups = Map.groupBy(
    [...error, ...warning],
    ({ severity, place, rule }) => `${severity} ${place} ${rule}`,
  );
  const counts = [
    error.length > 0 && `${describeCount(error.length, 'violation')} of the contract`,
    warning.length > 0 && describeCount(warning.length, 'warning'),
  ];
  return html`<h3 class=${error.length ? 'fail' : 'warn'}>${error.length ? '✗' : '!'} ${counts.filter(Boolean).join(', ')}</h3>
    <ul class="violations">${[...groups.values()].map((group) => html`<${Rule} group=${group} />`)}</ul>`;
}

function Rule({ group }: { readonly group: readonly [Violation, ...Violation[]] }): View {
  const [first] = group;
  const places = group.map(({ at }) => at.replace(/^\w+\.body\.?/, '')).filter(Boolean);
  const some = `${places.slice(0, MOST_PLACES).join(', ')}${places.length > MOST_PLACES ? ', …' : ''}`;
  const times = ` — ${group.length} times${some && `, at ${some}`}`;
  return html`<li class=${isError(first) ? 'fail' : 'warn'}>
    <code>${shown(first.place)}</code> <span class="muted">${first.rule}${group.length > 1 && shown(times)}</span><br />
    ${shown(first.message)}</li>`;
}

export function isError({ severity }: Violation): boolean {
  return severity === 'error';
}
