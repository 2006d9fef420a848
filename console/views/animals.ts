import { signal, useSignal } from '@preact/signals';
import type { MemberProblem } from '../../common/http/api-error.ts';
import type { Member } from '../../common/json/animal-facts.ts';
import { type ExactJson, type JsonObject, parseExactJson } from '../../common/json/exact-json.ts';
import type { Pet } from '../../common/json/pet.ts';
import { loadAnimalFacts } from '../../common/load-animal-facts.ts';
import type { Behaviour, Difference } from '../../mock/choices/choices.ts';
import { ask, RefusedError } from '../app/ask.ts';
import { attempt, describe } from '../app/notices.ts';
import { poll, readers } from '../app/poll.ts';
import { focusRow, route, toClosed, toHash } from '../app/route.ts';
import { recall, remember, server } from '../app/store.ts';
import { change } from '../app/undo.ts';
import { Field, Filter, type FilterSelect, html, type Options, shown, type View } from '../parts/parts.ts';

const limits = ['20', '100', '1000'];

/** Number of characters of a name in the table. */
const LONGEST_NAME = 200;

/** Number of characters of a name in a notice. */
const SHORT_NAME = 40;

const { pet: members, filters } = loadAnimalFacts();

/** The members as the form has them: a new animal gets an id if none is typed. */
const fields = [
  ...members.filter(({ name }) => name !== 'id'),
  ...members.filter(({ name }) => name === 'id'),
];

const limitSelect: FilterSelect = [
  'limit',
  'Limit',
  limits.map((one) => [one === '20' ? '' : one, `limit ${one}`]),
];

/** An animal by the names of its members. */
type Animal = Pet & JsonObject;

/** Creates the select of a filter. One that may have any value offers those of the animals. */
function createSelect({ name, values }: Member, all: readonly Animal[]): FilterSelect {
  const options: Options = values ?? [...new Set(all.map((animal) => toText(animal[name])))].toSorted();
  return [name, name.replace(/^./, (letter) => letter.toUpperCase()), [['', `Any ${name}`], ...options]];
}

const toText = (value: ExactJson | undefined) => String(value ?? '');

const EMPTY = 'The store is empty. Add an animal above, or reset the mock in State.';

const animals = signal<readonly Animal[] | undefined>(undefined);

readers.animals = async () => {
  animals.value = await ask('GET', 'animals', undefined, parseExactJson);
};

const orderTexts: Readonly<Record<Behaviour['order'], string>> = {
  newest: 'newest first',
  oldest: 'oldest first',
  name: 'newest first, although lists of the API are sorted by name',
  random: 'newest first, although lists of the API are in random order',
};

export function Animals(): View {
  const { id: openId, query } = route.value;
  const limit = Number(limits.find((one) => one === query.get('limit')) ?? 20);
  const text = (query.get('text') ?? '').toLowerCase();
  const all = animals.value ?? [];
  const selects = filters.map((filter) => createSelect(filter, all));
  // An address may have a value that is not offered.
  const chosen = selects.filter(([name, , values]) => values.some((value) => value === query.get(name)));
  const isMatch = (animal: Animal) => chosen.every(([name]) => toText(animal[name]) === query.get(name));
  const { order = 'newest' } = (server.value?.settings?.behaviour ?? {}) as Difference;
  const matching = (order === 'oldest' ? all : all.toReversed()).filter(
    (animal) =>
      isMatch(animal) && (text === '' || Object.values(animal).join(' ').toLowerCase().includes(text)),
  );
  const first = matching.slice(0, limit);
  // An address shows its animal, wherever that is in the list.
  const open = all.find(({ id }) => String(id) === openId);
  const rows = open === undefined || first.includes(open) ? first : [open, ...first];
  const isTyped = fields.some(({ name }) => recall(`add.${name}`) !== '');
  const isAddOpen = useSignal(isTyped || matchMedia(TWO_COLUMNS).matches).peek();
  return html`<div class="page wide with-form">
    <details open=${isAddOpen} class="add" onToggle=${focusName}>
      <summary data-key="a" title="Add an animal ( a )">Add an animal</summary>
      <${AnimalForm} name="add" />
    </details>
    <section aria-label="Animals">
    <${Filter} selects=${[...selects, limitSelect]} />
    <p class="counts" role="status">
      <span>${first.length.toLocaleString()} of ${all.length.toLocaleString()}, ${orderTexts[order]}</span>
    </p>
    ${animals.value !== undefined && openId !== '' && open === undefined && html`<p class="empty">No animal has the id ${shown(openId)}.</p>`}
    <table class="animals">
      <thead><tr>${members.map(({ name }) => html`<th scope="col">${name}</th>`)}<td></td></tr></thead>
      <tbody>${rows.map((animal) => html`<${AnimalRow} key=${animal.id} animal=${animal} isOpen=${animal === open} />`)}</tbody>
    </table>
    ${animals.value !== undefined && rows.length === 0 && html`<p class="empty">${all.length === 0 ? EMPTY : 'No animal matches.'}</p>`}
    </section>
  </div>`;
}

/** Width from which the form is next to the table. */
const TWO_COLUMNS = '(min-width: 1280px)';

/** Focuses the first field when the user opens the form. */
function focusName({ currentTarget, newState }: ToggleEvent): void {
  const details = currentTarget as HTMLDetailsElement;
  if (newState === 'open' && details.contains(document.activeElement)) focusFirst(details);
}

function AnimalRow({ animal, isOpen }: { readonly animal: Animal; readonly isOpen: boolean }): View {
  const { id } = animal;
  if (isOpen)
    return html`<tr><td colspan=${members.length + 1}><${AnimalForm} name=${`edit.${id}`} animal=${animal} /></td></tr>`;
  return html`<tr>
    ${members.map((member) => html`<td>${showMember(member, animal)}</td>`)}
    <td><button type="button" class="danger" aria-label=${`Remove ${id}`} onClick=${(event: Event) => remove(animal, event.currentTarget as Element)}>Remove</button></td>
  </tr>`;
}

function showMember({ name, type, values }: Member, animal: Animal): View {
  const { id, [name]: value } = animal;
  if (name === 'id')
    return html`<a data-row=${id} href=${toHash({ ...route.value, id: String(id) })} aria-label=${`Edit ${id}`}><code>${id}</code></a>`;
  if (value === undefined) return html`<span class="muted">none</span>`;
  if (type !== 'string') return html`<code>${toText(value)}</code>`;
  return values === undefined
    ? html`<span class="name">${shorten(toText(value), LONGEST_NAME)}</span>`
    : html`${value}`;
}

function shorten(name: string, most: number): string {
  return shown(name.length <= most ? name : `${name.slice(0, most)}…`);
}

function remove({ id, name }: Animal, button: Element): Promise<void> {
  const row = button.closest('tr');
  const next = row?.nextElementSibling ?? row?.previousElementSibling;
  return attempt(async () => {
    await change(`Removed ${shorten(name, SHORT_NAME)} (${id}).`, () => ask('DELETE', `animals/${id}`));
    focusRow(next?.querySelector<HTMLElement>('[data-row]')?.dataset.row);
  });
}

/** A form that sends what was typed, right or wrong, and shows the error of the API. */
function AnimalForm({ name: form, animal }: { readonly name: string; readonly animal?: Animal }): View {
  const failure = useSignal('');
  const problems = useSignal<readonly MemberProblem[]>([]);
  const initial = (field: Member) => toText(animal === undefined ? findUsual(field) : animal[field.name]);
  const submit = async () => {
    const typed = fields.map((field) => [field, recall(`${form}.${field.name}`, initial(field))] as const);
    const sent = typed.filter(([, value]) => value !== '');
    const kept = Object.entries(animal ?? {}).filter(([name]) => !isField(name));
    const body = Object.fromEntries([
      ...kept,
      ...sent.map(([field, value]) => [field.name, toValue(field, value)]),
    ]);
    const name = shorten(recall(`${form}.name`, toText(animal?.name)), SHORT_NAME);
    try {
      if (animal === undefined) await change(`Added ${name}.`, () => ask('POST', 'animals', body));
      else await change(`Changed ${name}.`, () => ask('PUT', `animals/${animal.id}`, body));
      clear();
      await poll();
    } catch (error) {
      failure.value = describe(error);
      problems.value = error instanceof RefusedError ? error.problems : [];
    }
  };
  const clear = () => {
    for (const { name } of fields) remember(`${form}.${name}`, undefined);
    failure.value = '';
    problems.value = [];
    if (animal !== undefined) location.hash = toClosed();
  };
  const show = (field: Member) => {
    const { name } = field;
    return html`<${Field} name=${`${form}.${name}`} label=${name} aria-label=${`${name} of ${animal?.id ?? 'the new animal'}`}
      initial=${initial(field)} problem=${problems.value.find(({ member }) => member === name)?.message} ...${rulesOf(field)} />`;
  };
  const isAtFields = problems.value.length > 0 && problems.value.every(({ member }) => isField(member));
  const others = isAtFields ? '' : failure.value;
  return html`<form class="fields" ref=${animal && focusFirst} onSubmit=${submit} aria-label=${animal === undefined ? 'Add an animal' : `Edit ${animal.id}`}>
    ${fields.filter(({ name }) => name !== 'id' || animal === undefined).map(show)}
    <button class="primary">${animal === undefined ? 'Add' : 'Save'}</button>
    ${animal && html`<button type="button" onClick=${clear}>Cancel</button>`}
    ${others !== '' && html`<p class="fail" role="alert">✗ ${shown(others)}</p>`}
  </form>`;
}

const isField = (member: string) => fields.some(({ name }) => name === member);

/** Returns what the form of a new animal begins with. */
function findUsual({ name, type, isRequired }: Member): string {
  return type === 'integer' && isRequired && name !== 'id' ? '1' : '';
}

/** Returns the properties of the field of a member. */
function rulesOf({ name, type, values }: Member): object {
  return {
    ...(values !== undefined && { options: [['', 'none'], ...values] }),
    ...(type === 'integer' && { inputmode: 'numeric' }),
    ...(name === 'id' && { placeholder: 'next id' }),
  };
}

/** Integers of any size are integers. The API explains what is wrong with other texts. */
function toValue({ type }: Member, value: string): ExactJson {
  return type === 'integer' && /^-?\d{1,40}$/.test(value) ? BigInt(value) : value;
}

const focusFirst = (form: Element | null): void => form?.querySelector('input')?.focus();
