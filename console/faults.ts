import { ask, attempt, type Fault, recall, state, turnOff } from './data.ts';
import { html, type View } from './html.ts';
import { Code, describeFault, Field, Switch } from './parts.ts';

const operations = ['listPets', 'createPet', 'getPet', 'createMessage'];
const statuses = ['400', '401', '403', '404', '409', '429', '500', '502', '503', '504'];
const drops = [
  'CONNECTION_RESET_BY_PEER',
  'EMPTY_RESPONSE',
  'MALFORMED_RESPONSE_CHUNK',
  'RANDOM_DATA_THEN_CLOSE',
];
const bodies = ['PET_WITHOUT_NAME', 'UNKNOWN_STATUS', 'HTML', 'TRUNCATED_JSON', 'EMPTY_BODY'];
const toOption = (one: string) => [one, one.toLowerCase().replaceAll('_', ' ')] as const;
const times = [
  ['', 'each request'],
  ['1', 'the next request'],
  ['3', 'the next 3'],
] as const;

/** Something that can be switched on: which faults are it, and what makes one. */
interface Kind {
  readonly label: string;
  readonly isIt: (fault: Fault) => boolean;
  readonly make: () => Fault;
  readonly fields: View;
}

const isForAll = ({ operation, method, path, times: limit }: Fault) =>
  [operation, method, path, limit].every((part) => part === undefined);

/** Switches that make requests fail, and what is on. */
export function Faults(): View {
  const faults = state.server?.faults ?? [];
  const forAll: Kind[] = [
    {
      label: 'Latency',
      isIt: (fault) => fault.delay !== undefined && fault.status === undefined && isForAll(fault),
      make: () => ({ delay: recall('fault.delay', '200') }),
      fields: html`<${Field} name="fault.delay" label="ms: 200, or 50-200" otherwise="200" size="8" />`,
    },
    {
      label: 'Error rate',
      isIt: (fault) => fault.probability !== undefined && fault.status !== undefined && isForAll(fault),
      make: () => ({ status: 500, probability: Number(recall('fault.rate', '5')) / 100 }),
      fields: html`<${Field} name="fault.rate" label="% of requests get a 500" otherwise="5" size="4" inputmode="decimal" />`,
    },
    {
      label: 'Broken body',
      isIt: (fault) => fault.body !== undefined,
      make: () => ({ body: recall('fault.body', bodies[0]) }),
      fields: html`<${Field} name="fault.body" label="how" otherwise=${bodies[0]} options=${bodies.map(toOption)} />`,
    },
    {
      label: 'Drop',
      isIt: (fault) => fault.drop !== undefined,
      make: () => ({
        drop: recall('fault.drop', drops[0]),
        probability: Number(recall('fault.dropped', '100')) / 100,
      }),
      fields: html`<${Field} name="fault.drop" label="how" otherwise=${drops[0]} options=${drops.map(toOption)} />
        <${Field} name="fault.dropped" label="% of requests" otherwise="100" size="4" inputmode="decimal" />`,
    },
  ];
  const byOperation: Kind[] = [
    ...operations.map((operation) => ({
      label: operation,
      isIt: (fault: Fault) => fault.operation === operation && fault.status !== undefined,
      make: () => ({
        operation,
        status: Number(recall(`fault.${operation}`, '500')),
        ...(recall('fault.times') === '' ? {} : { times: Number(recall('fault.times')) }),
      }),
      fields: html`<${Field} name=${`fault.${operation}`} label="is answered with" otherwise="500" options=${statuses.map((one) => [one, one])} />`,
    })),
  ];
  return html`<div class="page">
    <h2>On now</h2>
    ${
      faults.length === 0
        ? html`<p class="muted">None: each request is answered as the specification says.</p>`
        : html`<ul class="lines">${faults.map(
            (
              fault,
            ) => html`<li><span class="fail">✗ ${describeFault(fault)}</span> <span class="muted">used ${fault.used} ×</span>
              <button type="button" onClick=${() => attempt(() => turnOff(({ id }) => id === fault.id))}>Turn off</button></li>`,
          )}</ul>`
    }
    <h2>Make requests fail</h2>
    <p class="muted">Of several faults for a request the newest decides. They come before the key is looked at.</p>
    <${Switches} kinds=${forAll} />
    <h3>By operation</h3>
    <p><${Field} name="fault.times" label="For" options=${times} /></p>
    <${Switches} kinds=${byOperation} />
    <${Code} label="The same from a shell" text=${`curl -H 'Content-Type: application/json' -d '{"operation":"listPets","status":503,"times":1}' '${location.href.replace(/#.*/, '')}__admin/faults'`} />
  </div>`;
}

function Switches({ kinds }: { readonly kinds: readonly Kind[] }): View {
  return html`<ul class="lines switches">${kinds.map(({ label, isIt, make, fields }) => {
    const isOn = state.server?.faults.some(isIt) ?? false;
    const toggle = () => attempt(() => (isOn ? turnOff(isIt) : ask('POST', 'faults', make())));
    return html`<li><${Switch} isOn=${isOn} label=${label} onClick=${toggle} /><strong>${label}</strong>${fields}</li>`;
  })}</ul>`;
}
