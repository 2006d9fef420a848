import { quoteForShell } from '../common/print-curl.ts';
import { ask } from './ask.ts';
import { removeFault, toOptions, turnOff } from './change-store.ts';
import { baseUrl, type Fault, state, waitForState } from './data.ts';
import { html, type View } from './html.ts';
import { recall } from './memory.ts';
import { attempt } from './notice.ts';
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

/** Something that can be switched on: what makes its fault of what was typed, and the fields for it. */
interface Kind {
  readonly label: string;
  /** @throws Error in the words of the field. */
  readonly make: () => Fault;
  /** Whether a fault is of this kind, whoever made it. */
  readonly isOf: (fault: Fault) => boolean;
  /** @param change is called when a field has another value. */
  readonly fields: (change: () => void) => View;
}

/** For requests of every kind. */
function ofAll(isOf: (fault: Fault) => boolean): Kind['isOf'] {
  return (fault) =>
    fault.operation === undefined && fault.path === undefined && fault.method === undefined && isOf(fault);
}

const kinds: readonly Kind[] = [
  {
    label: 'Latency',
    isOf: ofAll((fault) => fault.delay !== undefined),
    make: () => ({ delay: readDelay(recall('fault.delay', '200')) }),
    fields: (onChange) =>
      html`<${Field} name="fault.delay" label="ms: 200, or 50-200" otherwise="200" size="8" onChange=${onChange} />`,
  },
  {
    label: 'Error rate',
    isOf: ofAll(({ status, probability }) => status === 500 && probability !== undefined),
    make: () => ({ status: 500, probability: readShare('Error rate', recall('fault.rate', '5')) }),
    fields: (onChange) =>
      html`<${Field} name="fault.rate" label="% of requests get a 500" otherwise="5" size="4" inputmode="decimal" onChange=${onChange} />`,
  },
  {
    label: 'Broken body',
    isOf: ofAll(({ body }) => body !== undefined),
    make: () => ({ body: recall('fault.body', bodies[0]) }),
    fields: (onChange) =>
      html`<${Field} name="fault.body" label="how" otherwise=${bodies[0]} options=${bodies.map(toOption)} onChange=${onChange} />`,
  },
  {
    label: 'Drop',
    isOf: ofAll(({ drop }) => drop !== undefined),
    make: () => ({
      drop: recall('fault.drop', drops[0]),
      probability: readShare('Drop', recall('fault.dropped', '100')),
    }),
    fields: (
      onChange,
    ) => html`<${Field} name="fault.drop" label="how" otherwise=${drops[0]} options=${drops.map(toOption)} onChange=${onChange} />
      <${Field} name="fault.dropped" label="% of requests" otherwise="100" size="4" inputmode="decimal" onChange=${onChange} />`,
  },
];

const kindsByOperation: readonly Kind[] = operations.map((operation) => ({
  label: operation,
  isOf: (fault) => fault.operation === operation && fault.status !== undefined,
  make: () => ({
    operation,
    status: Number(recall(`fault.${operation}`, '500')),
    ...(recall('fault.times') === '' ? {} : { times: Number(recall('fault.times')) }),
  }),
  fields: (onChange) =>
    html`<${Field} name=${`fault.${operation}`} label="is answered with" otherwise="500" options=${statuses.map((one) => [one, one])} onChange=${onChange} />`,
}));

function readDelay(text: string): string {
  const [, least = '', most = least] = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(text.trim()) ?? [];
  if (least === '' || Number(least) > Number(most) || Number(most) > 600_000) {
    throw new Error(
      `Latency: ms must be up to 600000, such as 200, or 50-200 for any between; not "${text}".`,
    );
  }
  return text.trim();
}

function readShare(label: string, text: string): number {
  const percent = /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (percent > 0 && percent <= 100) return percent / 100;
  throw new Error(`${label}: % of requests must be a number above 0, up to 100; not "${text}".`);
}

/** Switches that make requests fail, and what is on. */
export function Faults(): View {
  const faults = state.server?.faults ?? [];
  const changeTimes = () => {
    for (const fault of kindsByOperation.flatMap(findOn)) inTurn(() => replace([fault], withTimes(fault)));
  };
  const line = `${recall('token') === '' ? '' : '-H "Authorization: Bearer <ADMIN_TOKEN>" '}-H 'Content-Type: application/json'`;
  return html`<div class="page columns">
    <section>
    <h2>On now</h2>
    ${
      faults.length === 0
        ? html`<p class="muted">None: each request is answered as the specification says.</p>`
        : html`<ul class="lines">${faults.map(
            (
              fault,
            ) => html`<li><span class="fail">✗ ${describeFault(fault)}</span> <span class="muted">used ${fault.used} ×</span>
              <button type="button" onClick=${() => turnOff([fault])}>Turn off</button></li>`,
          )}</ul>`
    }
    </section>
    <section>
    <h2>Make requests fail</h2>
    <p class="muted">Of several faults for a request the newest decides. They come before the key is looked at.</p>
    <${Switches} kinds=${kinds} />
    <h3>By operation</h3>
    <p><${Field} name="fault.times" label="For" options=${times} onChange=${changeTimes} /></p>
    <${Switches} kinds=${kindsByOperation} />
    </section>
    <section>
    <${Code} label="The same from a shell" text=${`curl ${line} -d '{"operation":"listPets","status":503,"times":1}' ${quoteForShell(`${baseUrl.slice(0, -2)}__admin/faults`)}`} />
    </section>
  </div>`;
}

function Switches({ kinds }: { readonly kinds: readonly Kind[] }): View {
  return html`<ul class="lines switches">${kinds.map((kind) => {
    const { label, fields } = kind;
    const on = findOn(kind).length > 0;
    return html`<li><${Switch} isOn=${on} label=${label} onClick=${() => inTurn(() => flip(kind))} /><strong>${label}</strong>
      <span class="fields">${fields(() => on && change(kind))}</span></li>`;
  })}</ul>`;
}

/** The faults that a switch stands for. */
function findOn({ isOf }: Kind): readonly Fault[] {
  return (state.server?.faults ?? []).filter(isOf);
}

/** By what is on when its turn has come. */
function flip(kind: Kind): Promise<unknown> {
  const faults = findOn(kind);
  return faults.length > 0 ? turnOff(faults) : replace([], kind.make());
}

/** Puts another fault in the place of those that are on; where that is refused, they stay. */
async function replace(before: readonly Fault[], fault: Fault): Promise<void> {
  const { id: made } = await ask('POST', 'faults', fault);
  for (const { id } of before) await removeFault(id);
  const gone = new Set(before.map(({ id }) => id));
  await waitForState(
    ({ faults }) => faults.some(({ id }) => id === made) && !faults.some(({ id }) => gone.has(id)),
  );
}

function change(kind: Kind): void {
  inTurn(() => replace(findOn(kind), kind.make()));
}

/** The same fault, for as many requests as is chosen. */
function withTimes(fault: Fault): Fault {
  const { times: _times, ...options } = toOptions(fault);
  return recall('fault.times') === '' ? options : { ...options, times: Number(recall('fault.times')) };
}

let last: Promise<unknown> = Promise.resolve();

/** A field may change as its switch is pressed. */
function inTurn(act: () => Promise<unknown>): void {
  last = last.then(() => attempt(async () => act()));
}
