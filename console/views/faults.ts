import { operations } from '../../common/journal/find-operation.ts';
import type { FaultOptions } from '../../mock/session/fault-options.ts';
import type { Fault } from '../../mock/session/faults.ts';
import { ask } from '../app/ask.ts';
import { attempt } from '../app/notices.ts';
import { faults, recall } from '../app/store.ts';
import { describeFault, toKind, turnOff } from '../app/undo.ts';
import { Field, html, type View } from '../parts/parts.ts';

const statuses = ['400', '401', '403', '404', '409', '429', '500', '502', '503', '504'];

const times = [
  ['', 'each request'],
  ['1', 'the next request'],
  ['3', 'the next 3'],
] as const;

/** A switch that adds a fault and removes faults like it. */
interface Kind {
  readonly label: string;
  readonly create: (value: string) => FaultOptions;
  /** Properties of the field. Browsers check what was typed. */
  readonly field: { readonly name: string; readonly initial: string; readonly [property: string]: unknown };
}

const percentage = { type: 'number', min: '0.01', max: '100', step: 'any', required: true };

const kinds: readonly Kind[] = [
  {
    label: 'Latency',
    create: (delay) => ({ delay }),
    field: { name: 'fault.delay', label: 'ms: 200, or 50-200', initial: '200', pattern: '\\d+(-\\d+)?' },
  },
  {
    label: 'Error rate',
    create: (rate) => ({ status: 500, probability: Number(rate) / 100 }),
    field: { name: 'fault.rate', label: '% of requests get a 500', initial: '5', ...percentage },
  },
  {
    label: 'Broken body',
    create: (body) => ({ response: { body } }),
    field: { name: 'fault.body', label: 'sent as it is', initial: '[{"id":1}]' },
  },
  {
    label: 'Drop',
    create: (rate) => ({ drop: true, probability: Number(rate) / 100 }),
    field: { name: 'fault.dropped', label: '% of requests', initial: '100', ...percentage },
  },
];

const kindsByOperation = operations.map((operation) => ({
  label: operation,
  create: (status: string) => ({
    operation,
    status: Number(status),
    ...(recall('fault.times') !== '' && { times: Number(recall('fault.times')) }),
  }),
  field: { name: `fault.${operation}`, label: 'gets', initial: '500', options: statuses },
}));

export function Faults(): View {
  const active = faults.value.map(
    (
      fault,
    ) => html`<li><span class="fail">✗ ${describeFault(fault)}</span> <span class="muted">used ${fault.used} ×</span>
      <button type="button" onClick=${() => attempt(() => turnOff([fault]))}>Turn off</button></li>`,
  );
  return html`<div class="page columns">
    <section>
    <h2>Active faults</h2>
    ${faults.value.length === 0 && html`<p class="muted">None: the mock answers as the specification says.</p>`}
    <ul class="lines">${active}</ul>
    </section>
    <section>
    <h2>Make requests fail</h2>
    <p class="muted">If several faults match a request, the newest one applies. Faults apply before the key is checked.</p>
    <${Switches} kinds=${kinds} />
    <h3>By operation</h3>
    <p><${Field} name="fault.times" label="For" options=${times} /></p>
    <${Switches} kinds=${kindsByOperation} />
    </section>
  </div>`;
}

function Switches({ kinds }: { readonly kinds: readonly Kind[] }): View {
  return html`<ul class="lines switches">${kinds.map((kind) => {
    const { label, field } = kind;
    const isOn = findActive(kind).length > 0;
    const change = ({ currentTarget: input }: { currentTarget: HTMLInputElement }) =>
      isOn && input.reportValidity() && attempt(() => replace(kind));
    const toggle = ({ currentTarget: button }: { currentTarget: Element }) =>
      (isOn || button.closest('form')?.reportValidity()) &&
      attempt(() => (isOn ? turnOff(findActive(kind)) : replace(kind)));
    return html`<li><form><button type="button" role="switch" class="switch" aria-checked=${String(isOn)} aria-label=${label}
      onClick=${toggle}>${isOn ? 'On' : 'Off'}</button><strong>${label}</strong>
      <span class="fields"><${Field} ...${field} onChange=${change} /></span></form></li>`;
  })}</ul>`;
}

function createFault({ create, field }: Kind): FaultOptions {
  return create(recall(field.name, field.initial));
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
