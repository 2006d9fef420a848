import type { operations } from '../../common/journal/operation-name.ts';
import {
  type EffectName,
  type FaultEffects,
  faultEffects,
  switchedEffects,
} from '../../mock/faults/fault-effects.ts';
import type { FaultOptions } from '../../mock/faults/fault-options.ts';
import type { Fault } from '../../mock/faults/faults.ts';
import { ask } from '../app/ask.ts';
import { attempt } from '../app/notices.ts';
import { faults, recall } from '../app/store.ts';
import {
  describeFault,
  release,
  removeSwitchedOff,
  switchedOff,
  switchOff,
  switchOn,
  turnOff,
} from '../app/undo.ts';
import { labelledOperations } from '../lib/label-operation.ts';
import { describeCount, Field, html, shown, type View } from '../parts/parts.ts';

const statuses = ['400', '401', '403', '404', '409', '429', '500', '502', '503', '504'];

/** Properties of a field. Browsers check what was typed. */
type Properties = Parameters<typeof Field>[0];

/** A kind of fault that the form adds. */
interface Kind {
  readonly label: string;
  readonly create: (value: string) => FaultOptions;
  readonly field?: Properties;
}

const delayRules = { pattern: '\\d+(-\\d+)?', title: 'Enter milliseconds: 200, or 50-200.', required: true };

type IsConstant<Value> = [Value] extends [string | boolean] ? (string extends Value ? false : true) : false;

/** Effects with more than one value. The message goes with a status. */
type TypedEffect = Exclude<
  { [Name in EffectName]: IsConstant<Required<FaultEffects>[Name]> extends true ? never : Name }[EffectName],
  'message'
>;

/** Effects whose value is typed or chosen, each with its field. The others have one value. */
const typedKinds = {
  status: {
    create: (status) => ({ status: Number(status) }),
    field: { name: 'fault.status', label: 'Status', initial: '500', options: statuses },
  },
  delay: {
    create: (delay) => ({ delay }),
    field: { name: 'fault.delay', label: 'Delay in ms', initial: '200', size: 8, ...delayRules },
  },
  response: {
    create: (body) => ({ response: { body } }),
    field: { name: 'fault.body', label: 'Body', initial: '[{"id":1}]', size: 12 },
  },
} as const satisfies Record<TypedEffect, Omit<Kind, 'label'>>;

/** Effects that have a field come first. */
const kinds: readonly Kind[] = Object.entries({ ...typedKinds, ...createConstantKinds() }).map(
  ([name, kind]) => {
    return { ...kind, label: faultEffects[name as EffectName].label ?? name };
  },
);

function createConstantKinds(): Record<string, Omit<Kind, 'label'>> {
  const constant = switchedEffects.filter((name) => faultEffects[name].constant !== undefined);
  return Object.fromEntries(
    constant.map((name) => [name, { create: () => ({ [name]: faultEffects[name].constant }) }]),
  );
}

const kindField = {
  name: 'fault.kind',
  label: 'Effect',
  initial: kinds[0]?.label ?? '',
  'data-key': 'a',
  title: 'Add a fault ( a )',
  options: kinds.map(({ label }) => label),
};
const operationField = {
  name: 'fault.operation',
  label: 'Operation',
  options: [['', 'everything'], ...labelledOperations],
} as const;
const timesField = {
  name: 'fault.times',
  label: 'Limit',
  options: [
    ['', 'all requests'],
    ['1', 'the next request'],
    ['3', 'the next 3'],
  ],
} as const;
const percentage = { type: 'number', min: '0.01', max: '100', step: 'any', required: true };
const shareField = { name: 'fault.share', label: '% of requests', initial: '100', ...percentage };

const EXPLANATION =
  'If several faults match a request, the newest one applies. Faults apply before the key is checked.';

export function Faults(): View {
  // A fault that was turned on again is newer than the others.
  const rows = [...faults.value, ...switchedOff.value].sort((one, other) => one.id - other.id);
  return html`<div class="page wide faults">
    <section>
    <h2>Add a fault</h2>
    <${FaultForm} />
    <p class="muted">${EXPLANATION}</p>
    </section>
    <section>
    <h2>Faults</h2>
    ${rows.length === 0 && html`<p class="muted">There is no fault. The mock follows the specification.</p>`}
    <ul class="lines">${rows.map((fault) => html`<${FaultRow} key=${describeKey(fault)} fault=${fault} />`)}</ul>
    </section>
  </div>`;
}

/** After a restart of the mock, an active fault may have the id of one that is off. */
const describeKey = (fault: Fault): string => `${fault.id} ${switchedOff.value.includes(fault)}`;

/** A fault with a switch, which says what the fault does. */
function FaultRow({ fault }: { readonly fault: Fault }): View {
  const { id, held, used, hold } = fault;
  const isOn = !switchedOff.value.includes(fault);
  const text = shown(describeFault(fault));
  const toggle = () => attempt(() => (isOn ? switchOff(fault) : switchOn(fault)));
  const remove = () => attempt(() => (isOn ? turnOff([fault]) : removeSwitchedOff(fault)));
  return html`<li data-fault=${id}><button type="button" role="switch" class="switch" aria-checked=${String(isOn)} aria-label=${text} onClick=${toggle}></button>
    <span class="muted number">${id}</span>
    <span class=${isOn ? 'fail' : 'muted'}>${isOn ? '✗ ' : ''}${text}</span>
    <span class="muted">${isOn ? `used ${used} ×` : 'off'}</span>
    ${isOn && held !== undefined && html`<span class="muted">holds ${describeCount(held, 'request')}</span>`}
    <span class="side">${isOn && hold && html`<button type="button" class="primary" onClick=${() => release(fault)}>Release</button>`}
    <button type="button" class="danger" aria-label=${`Remove ${text}`} onClick=${remove}>Remove</button></span></li>`;
}

/** A form of one line that adds a fault. */
function FaultForm(): View {
  const chosen = recall(kindField.name);
  const kind = kinds.find(({ label }) => label === chosen) ?? kinds[0];
  const add = () => attempt(() => ask('POST', 'faults', createFault(kind as Kind)));
  const fields = [kindField, ...(kind?.field ? [kind.field] : []), operationField, timesField, shareField];
  return html`<form class="fields" aria-label="Add a fault" onSubmit=${add}>${fields.map((field) => html`<${Field} key=${field.name} ...${field} />`)}
    <button class="primary">Add</button></form>`;
}

function createFault({ create, field }: Kind): FaultOptions {
  const limits = [operationField, timesField, shareField] as const;
  const [operation, times, share] = limits.map((limit: Properties) => recall(limit.name, limit.initial));
  return {
    ...create(field ? recall(field.name, field.initial) : ''),
    ...(operation && { operation: operation as (typeof operations)[number] }),
    ...(times && { times: Number(times) }),
    ...(Number(share) < 100 && { probability: Number(share) / 100 }),
  };
}
