import type { ExactJson } from '../common/exact-json.ts';
import { askExactly, Refusal } from './ask.ts';
import { goBack } from './change-store.ts';
import { refresh, state, waitForState } from './data.ts';
import { html, type View } from './html.ts';
import { recall, remember } from './memory.ts';
import { attempt, describe, tell } from './notice.ts';
import { Copy, Field, shown } from './parts.ts';
import { printGet } from './print-request.ts';
import { closeOpen, focusRow, type Route, setQuery, toHash } from './route.ts';

interface Animal {
  readonly id: bigint;
  readonly name: string;
  readonly categoryId: bigint;
  readonly status?: string;
}

const statuses = ['available', 'pending', 'sold'];

const limits = [20, 100, 1_000];

/** What the store held when it was last read. */
let held: readonly Animal[] | undefined;

/** What its version was called when it was asked last: what has failed is not asked for again until it has changed. */
let asked = '';
let refusal = '';
let isReading = false;
let readNext = 0;

/** Reads the animals again when they have changed; many take longer to read, and are read less often. */
function readAgain(): void {
  // A mock that was started again counts from the beginning.
  const version = `${state.connections} ${state.server?.version}`;
  if (state.connection !== 'open' || asked === version || isReading) return;
  if (performance.now() < readNext) {
    setTimeout(refresh, readNext - performance.now() + 1);
    return;
  }
  isReading = true;
  asked = version;
  const start = performance.now();
  askExactly('GET', 'animals')
    .then((animals) => {
      held = animals as unknown as Animal[];
    })
    .catch((error) => tell({ text: describe(error), isFailure: true }))
    .finally(() => {
      readNext = performance.now() + 100 + 5 * (performance.now() - start);
      isReading = false;
      refresh();
    });
}

/** The animals as the API lists them, and forms to add and change them. */
export function Animals({ route }: { readonly route: Route }): View {
  readAgain();
  const { query } = route;
  const status = statuses.find((one) => one === query.get('status')) ?? '';
  const limit = limits.find((one) => one === Number(query.get('limit'))) ?? 20;
  const text = (query.get('text') ?? '').toLowerCase();
  const all = held ?? [];
  const order = state.server?.settings.order;
  const ordered = order === 'oldest' ? all : all.toReversed();
  const fitting = ordered.filter(
    (animal) =>
      (status === '' || animal.status === status) &&
      (text === '' || `${animal.id} ${animal.categoryId} ${animal.name}`.toLowerCase().includes(text)),
  );
  const first = fitting.slice(0, limit);
  // An address leads to its animal, wherever that is in the list.
  const open = all.find(({ id }) => String(id) === route.id);
  const rows = open === undefined || first.includes(open) ? first : [open, ...first];
  const set = (name: string) => (event: { currentTarget: HTMLInputElement }) =>
    setQuery(name, event.currentTarget.value);
  const path = `/pets?${new URLSearchParams({ ...(status && { status }), limit: String(Math.min(100, limit)) })}`;
  return html`<div class="page wide">
    <form class="filter" onSubmit=${(event: Event) => event.preventDefault()}>
      <input type="search" aria-label="Filter" placeholder="Filter ( / )" value=${query.get('text') ?? ''} onInput=${set('text')} />
      <select aria-label="Status" onChange=${set('status')}>${['', ...statuses].map(
        (one) => html`<option value=${one} selected=${one === status}>${one || 'Any status'}</option>`,
      )}</select>
      <select aria-label="Limit" onChange=${set('limit')}>${limits.map(
        (one) => html`<option value=${one} selected=${one === limit}>limit ${one}</option>`,
      )}</select>
    </form>
    <p class="counts" role="status">
      <span>${first.length.toLocaleString()} of ${all.length.toLocaleString()}, ${order === 'random' ? 'newest first here, in any order for the app' : `${order} first`}</span>
      <${Copy} text=${printGet(path)} label="Copy as curl" />
    </p>
    <details class="add" open=${recall('add.open') === 'yes'} onToggle=${(event: Event) => keepOpen(event.currentTarget as HTMLDetailsElement)}>
      <summary>Add an animal</summary>
      <${AnimalForm} name="add" save="Add" send=${(animal: ExactJson) => sendAnimal('POST', 'animals', animal)} />
    </details>
    ${held !== undefined && route.id !== '' && open === undefined && html`<p class="empty">No animal has the id ${shown(route.id)}.</p>`}
    <table class="animals">
      <thead><tr><th scope="col">id</th><th scope="col">name</th><th scope="col">categoryId</th><th scope="col">status</th><td></td></tr></thead>
      <tbody>${rows.map((animal) => html`<${AnimalRow} key=${animal.id} animal=${animal} isOpen=${String(animal.id) === route.id} route=${route} />`)}</tbody>
    </table>
    ${held !== undefined && rows.length === 0 && html`<p class="empty">${all.length === 0 ? 'The store is empty. Add an animal above, or reset it in State.' : 'No animal fits.'}</p>`}
  </div>`;
}

function keepOpen({ open }: HTMLDetailsElement): void {
  if (open !== (recall('add.open') === 'yes')) remember('add.open', open ? 'yes' : undefined);
}

async function sendAnimal(method: string, path: string, animal: ExactJson): Promise<void> {
  await askExactly(method, path, animal);
}

function AnimalRow({
  animal,
  isOpen,
  route,
}: {
  readonly animal: Animal;
  readonly isOpen: boolean;
  readonly route: Route;
}): View {
  const { id, name, categoryId, status } = animal;
  if (isOpen) {
    const send = async (changed: ExactJson) => {
      await askExactly('PUT', `animals/${id}`, changed);
      closeOpen();
    };
    return html`<tr class="editing"><td colspan="5"><${AnimalForm} name=${`edit.${id}`} animal=${animal} save="Save" send=${send} cancel=${closeOpen} /></td></tr>`;
  }
  return html`<tr>
    <td><a data-row=${id} href=${toHash({ ...route, id: String(id) })} aria-label=${`Edit ${id}`}><code>${id}</code></a></td>
    <td><span class="name">${shownShort(name, 200)}</span></td>
    <td><code>${categoryId}</code></td>
    <td class="word">${status ?? html`<span class="muted">none</span>`}</td>
    <td class="side"><button type="button" class="plain" aria-label=${`Remove ${id}`} onClick=${(event: Event) => remove(animal, event.currentTarget as Element)}>Remove</button></td>
  </tr>`;
}

/** A name may be as long as a request. */
function shownShort(name: string, most: number): string {
  return shown(name.length <= most ? name : `${name.slice(0, most)}…`);
}

function remove({ id }: Animal, button: Element): Promise<boolean> {
  const row = button.closest('tr');
  const path = `animals/${id}`;
  return attempt(async () => {
    const before = state.server?.version;
    // The list may be older.
    const animal = await askExactly('GET', path);
    await askExactly('DELETE', path);
    const after = waitForState(({ version }) => version !== before).then(() => state.server?.version);
    const undo = async () => {
      if (await isThere(path))
        throw new Error(`Another animal has the id ${id} by now, so that nothing was undone.`);
      await goBack({ before, after: await after }, () => askExactly('PUT', path, animal));
    };
    const next = row?.nextElementSibling ?? row?.previousElementSibling;
    focusRow(next?.querySelector<HTMLElement>('[data-row]')?.dataset.row);
    tell({
      text: `Removed ${shownShort((animal as unknown as Animal).name, 40)} (${id}). Undo puts it back as the newest.`,
      undo,
    });
  });
}

async function isThere(path: string): Promise<boolean> {
  try {
    await askExactly('GET', path);
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return false;
    throw error;
  }
}

interface FormProps {
  readonly name: string;
  readonly animal?: Animal;
  readonly save: string;
  readonly send: (animal: ExactJson) => Promise<void>;
  readonly cancel?: () => void;
}

const fields = ['name', 'categoryId', 'status', 'id'] as const;

/** A form that sends what was typed, right or wrong, and shows what the API says of it. */
function AnimalForm({ name: form, animal, save, send, cancel }: FormProps): View {
  const before = (field: (typeof fields)[number]) => String(animal?.[field] ?? '');
  const submit = async (event: Event) => {
    event.preventDefault();
    const given = fields.map((field) => [field, recall(`${form}.${field}`, before(field))] as const);
    // An empty name is a name, where it is not one that nobody typed.
    const isSent = (field: string, value: string) =>
      animal === undefined ? value !== '' : field === 'name' || (value !== '' && field !== 'id');
    const sent = given.filter(([field, value]) => isSent(field, value));
    try {
      await send(Object.fromEntries(sent.map(([field, value]) => [field, toValue(field, value)])));
      drop();
    } catch (error) {
      refusal = `${form}: ${error instanceof Refusal ? `${error.status} ` : ''}${describe(error)}`;
    }
    refresh();
  };
  const drop = () => {
    for (const field of fields) remember(`${form}.${field}`, undefined);
    refusal = '';
  };
  const stop = () => {
    drop();
    cancel?.();
  };
  return html`<form class="fields" ref=${cancel && focusFirst} onSubmit=${submit} aria-label=${animal === undefined ? 'Add an animal' : `Edit ${animal.id}`}>
    <${Field} name=${`${form}.name`} label="name" otherwise=${before('name')} />
    <${Field} name=${`${form}.categoryId`} label="categoryId" otherwise=${before('categoryId')} inputmode="numeric" />
    <${Field} name=${`${form}.status`} label="status" otherwise=${before('status')} options=${[['', 'none'], ...statuses.map((one) => [one, one])]} />
    ${animal === undefined && html`<${Field} name=${`${form}.id`} label="id, or the next" inputmode="numeric" />`}
    <button class="primary">${save}</button>
    ${cancel && html`<button type="button" onClick=${stop}>Cancel</button>`}
    ${refusal.startsWith(`${form}: `) && html`<p class="fail" role="alert">✗ ${shown(refusal.slice(form.length + 2))}</p>`}
  </form>`;
}

function focusFirst(form: Element | null): void {
  form?.querySelector('input')?.focus();
}

/** An integer of any size is one; all else is sent as the text that it is, and the API tells what is wrong. */
function toValue(field: string, value: string): ExactJson {
  return /Id$|^id$/.test(field) && /^-?\d{1,40}$/.test(value) ? BigInt(value) : value;
}
