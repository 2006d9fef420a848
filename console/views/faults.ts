import { operations } from '../../common/journal/operation-name.ts';
import { describeEffects, type EffectName, faultEffects } from '../../mock/faults/fault-effects.ts';
import type { Fault } from '../../mock/faults/faults.ts';
import { ask } from '../app/ask.ts';
import { attempt, notify } from '../app/notices.ts';
import { faults, recall } from '../app/store.ts';
import { describeCount, Field, html, shown, type View } from '../parts/parts.ts';
import { findOptionsLeft } from './find-options-left.ts';
import { toFaultOptions } from './to-fault-options.ts';

/** Properties of a field. Browsers check what was typed. */
type Properties = Parameters<typeof Field>[0];

const statuses = ['400', '401', '403', '404', '409', '429', '500', '502', '503', '504'];
const delayRules = { pattern: '\\d+(-\\d+)?', title: 'Enter milliseconds: 200, or 50-200.', required: true };

/** The fields of the effects whose value is typed or chosen. The others have one value. */
const fieldOf: { readonly [Name in EffectName]?: Properties } = {
  status: { name: 'fault.status', label: 'Status', initial: '500', options: statuses },
  delay: { name: 'fault.delay', label: 'Delay in ms', initial: '200', size: 8, ...delayRules },
  response: { name: 'fault.body', label: 'Body', initial: '[{"id":1}]', size: 12 },
};

const effectNames = Object.keys({ ...fieldOf, ...faultEffects }) as EffectName[];

const effectField = {
  name: 'fault.effect',
  label: 'Effect',
  initial: 'status',
  'data-key': 'a',
  title: 'Add a fault ( a )',
  options: effectNames.flatMap((name) => {
    const { label } = faultEffects[name];
    return label === undefined ? [] : [[name, label] as const];
  }),
};
const operationField: Properties = {
  name: 'fault.operation',
  label: 'Operation',
  options: [['', 'everything'], ...operations],
};
const timesField: Properties = {
  name: 'fault.times',
  label: 'Limit',
  options: [
    ['', 'all requests'],
    ['1', 'the next request'],
    ['3', 'the next 3'],
  ],
};

const EXPLANATION =
  'If several faults match a request, the newest one applies. Faults apply before the key is checked.';

export function Faults(): View {
  return html`<div class="page wide">
    <section>
    <h2>Add a fault</h2>
    <${FaultForm} />
    <p class="muted">${EXPLANATION}</p>
    </section>
    <section>
    <h2>Faults</h2>
    ${faults.value.length === 0 && html`<p class="muted">There is no fault. The mock follows the specification.</p>`}
    <ul class="lines">${faults.value.map((fault) => html`<${FaultRow} key=${fault.id} fault=${fault} />`)}</ul>
    </section>
  </div>`;
}

function FaultRow({ fault }: { readonly fault: Fault }): View {
  const { id, held, used, hold } = fault;
  const text = shown(describeFault(fault));
  const release = () => attempt(() => ask('POST', `faults/${id}/release`));
  return html`<li><span class="muted number">${id}</span> <span class="fail">✗ ${text}</span>
    <span class="muted">used ${used} ×</span>
    ${held !== undefined && html`<span class="muted">holds ${describeCount(held, 'request')}</span>`}
    <span class="side">${hold && html`<button type="button" class="primary" onClick=${release}>Release</button>`}
    <button type="button" class="danger" aria-label=${`Remove ${text}`} onClick=${() => turnOff([fault])}>Remove</button></span></li>`;
}

/** A form of one line that adds a fault. */
function FaultForm(): View {
  const effect = recall(effectField.name, effectField.initial) as EffectName;
  const field = fieldOf[effect];
  const add = () => {
    const [value, operation, times] = [field, operationField, timesField].map(
      (one) => one && recall(one.name, one.initial),
    );
    return attempt(() => ask('POST', 'faults', toFaultOptions(effect, { value, operation, times })));
  };
  const fields = [effectField, ...(field ? [field] : []), operationField, timesField];
  return html`<form class="fields" aria-label="Add a fault" onSubmit=${add}>${fields.map((field) => html`<${Field} key=${field.name} ...${field} />`)}
    <button class="primary">Add</button></form>`;
}

/** Ends faults. An undo adds them again for the requests that are left. */
export function turnOff(some: readonly Fault[]): Promise<void> {
  const undo = async () => {
    for (const fault of some) {
      const left = findOptionsLeft(fault);
      if (left !== undefined) await ask('POST', 'faults', left);
    }
  };
  return attempt(async () => {
    for (const { id } of some) await ask('DELETE', `faults/${id}`);
    notify({ text: `Turned off: ${describeFaults(some)}.`, undo });
  });
}

/** Describes an active fault, such as `5 % 500 on listPets, next 3`. */
export function describeFault(fault: Fault): string {
  const { operation = 'everything', match = {}, probability = 1, times, used } = fault;
  const share = probability < 1 ? `${Number((probability * 100).toPrecision(3))} % ` : '';
  const names = Object.keys(match).join(', ');
  const left = times === undefined ? '' : times > used ? `, next ${times - used}` : ', no further one';
  return `${share}${describeEffects(fault)} on ${operation}${names && ` with its ${names}`}${left}`;
}

export function describeFaults([first, ...others]: readonly Fault[]): string {
  if (first === undefined) return '';
  return describeFault(first) + (others.length === 0 ? '' : ` and ${others.length} more`);
}
