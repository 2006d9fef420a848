import { operations } from '../../common/journal/operation-name.ts';
import {
  type EffectName,
  type FaultEffects,
  faultEffects,
  switchedEffects,
} from '../../mock/session/fault-effects.ts';
import type { FaultOptions } from '../../mock/session/fault-options.ts';
import type { Fault } from '../../mock/session/faults.ts';
import { ask } from '../app/ask.ts';
import { attempt } from '../app/notices.ts';
import { faults, recall } from '../app/store.ts';
import { describeFault, release, toKind, turnOff } from '../app/undo.ts';
import { describeCount, Field, type FieldEvent, html, type View } from '../parts/parts.ts';

const statuses = ['400', '401', '403', '404', '409', '429', '500', '502', '503', '504'];

/** Properties of a field. Browsers check what was typed. */
type Properties = Parameters<typeof Field>[0];

/** A switch that adds a fault and removes faults like it. */
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
    field: { name: 'fault.status', label: 'status', initial: '500', options: statuses },
  },
  delay: {
    create: (delay) => ({ delay }),
    field: { name: 'fault.delay', label: 'ms', initial: '200', size: 8, ...delayRules },
  },
  response: {
    create: (body) => ({ response: { body } }),
    field: { name: 'fault.body', label: 'body', initial: '[{"id":1}]', size: 12 },
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

const nextOnes = Object.entries({ 1: 'next request', 3: 'next 3' });
const percentage = { type: 'number', min: '0.01', max: '100', step: 'any', required: true };

/** Returns the fields that limit a fault to some requests. */
const createLimits = (label: string): readonly [operation: Properties, ...others: Properties[]] => [
  { name: `${label}.operation`, label: 'operation', options: [['', 'all'], ...operations] },
  { name: `${label}.times`, label: 'limit', options: [['', 'no limit'], ...nextOnes] },
  { name: `${label}.share`, label: '% of requests', initial: '100', ...percentage },
];

export function Faults(): View {
  const active = faults.value.map(
    (fault) => html`<li>
      <span class="fail">✗ ${describeFault(fault)}</span> <span class="muted">used ${fault.used} ×</span>
      ${fault.held !== undefined && html` <span class="muted">holds ${describeCount(fault.held, 'request')}</span>`}
      ${fault.hold ? html`<${Release} fault=${fault} />` : html`<button type="button" onClick=${() => attempt(() => turnOff([fault]))}>Turn off</button>`}</li>`,
  );
  return html`<div class="page wide">
    <h2>Active faults</h2>
    ${faults.value.length === 0 && html`<p class="muted">No fault is active. The mock follows the specification.</p>`}
    <ul class="lines">${active}</ul>
    <h2>Make requests fail</h2>
    <p class="muted">A switch applies to the operation in its row. If several faults match a request, the newest one
      applies. Faults apply before the key is checked.</p>
    <ul class="lines switches">${kinds.map((kind) => html`<${Switch} ...${kind} />`)}</ul>
  </div>`;
}

/** Ends a fault that holds requests, which then go on. */
function Release({ fault }: { readonly fault: Fault }): View {
  return html`<button type="button" class="primary" onClick=${() => release(fault)}>Release</button>`;
}

function Switch(kind: Kind): View {
  const { label, field } = kind;
  const active = findActive(kind);
  const isOn = active.length > 0;
  const [operation, ...others] = createLimits(label);
  const change = ({ currentTarget: input }: FieldEvent) =>
    isOn && input.name !== operation.name && input.reportValidity() && attempt(() => replace(kind));
  const toggle = ({ currentTarget: { form } }: FieldEvent) =>
    (isOn || form?.reportValidity()) && attempt(() => (isOn ? turnOff(active) : replace(kind)));
  const fields = [...(field ? [field] : []), operation, ...others].map(
    (one) => html`<${Field} ...${one} aria-label=${`${label}: ${one.label}`} onChange=${change} />`,
  );
  return html`<li><form><button type="button" role="switch" class="switch" aria-checked=${String(isOn)} aria-label=${label}
    onClick=${toggle}></button><strong>${label}</strong><span class="fields">${fields}</span></form></li>`;
}

function createFault({ label, create, field }: Kind): FaultOptions {
  const [operation, times, share] = createLimits(label).map(({ name, initial }) => recall(name, initial));
  return {
    ...create(field ? recall(field.name, field.initial) : ''),
    ...(operation && { operation: operation as (typeof operations)[number] }),
    ...(times && { times: Number(times) }),
    ...(Number(share) < 100 && { probability: Number(share) / 100 }),
  };
}

/** Returns the faults with the same effect on the same operation, whoever added them. */
function findActive(kind: Kind): readonly Fault[] {
  const wanted = toKind(createFault(kind));
  return faults.value.filter((fault) => toKind(fault) === wanted);
}

/** Adds a fault, then removes those before it. If the new one is wrong, they stay. */
async function replace(kind: Kind): Promise<void> {
  const before = findActive(kind);
  await ask('POST', 'faults', createFault(kind));
  for (const { id } of before) await ask('DELETE', `faults/${id}`);
}
