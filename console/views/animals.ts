import { useSignal } from '@preact/signals';
import type { Member } from '../../common/json/animal-facts.ts';
import { type ExactJson, type JsonObject, parseExactJson } from '../../common/json/exact-json.ts';
import type { Pet } from '../../common/json/pet.ts';
import { loadAnimalFacts } from '../../common/load-animal-facts.ts';
import { ask, RefusedError } from '../app/ask.ts';
import { attempt, change, describe } from '../app/notices.ts';
import { poll, useRead } from '../app/poll.ts';
import { focusRow, route } from '../app/route.ts';
import { recall, remember } from '../app/store.ts';
import { Field, Filter, html, shown, type View } from '../parts/parts.ts';

/** Number of animals that the table shows. */
const MOST_ROWS = 100;

const { pet: members } = loadAnimalFacts();

/** The members as the form has them: a new animal gets an id if none is typed. */
const fields = [
  ...members.filter(({ name }) => name !== 'id'),
  ...members.filter(({ name }) => name === 'id'),
];

/** An animal by the names of its members. */
type Animal = Pet & JsonObject;

const toText = (value: ExactJson | undefined) => String(value ?? '');

export function Animals(): View {
  const { query } = route.value;
  const text = (query.get('text') ?? '').toLowerCase();
  const read = useRead<readonly Animal[]>('animals', parseExactJson);
  const all = read ?? [];
  const matching = all.filter((animal) => Object.values(animal).join(' ').toLowerCase().includes(text));
  const first = matching.toReversed().slice(0, MOST_ROWS);
  return html`<div class="page wide">
    <section>
    <h2>Add an animal</h2>
    <${AnimalForm} />
    </section>
    <section aria-label="Animals">
    <${Filter} />
    <p class="counts actions" role="status">${first.length.toLocaleString()} of ${all.length.toLocaleString()}, newest first</p>
    <table>
      <thead><tr>${members.map(({ name }) => html`<th scope="col">${name}</th>`)}<td></td></tr></thead>
      <tbody>${first.map((animal) => html`<${AnimalRow} key=${animal.id} animal=${animal} />`)}</tbody>
    </table>
    ${read && first.length === 0 && html`<p class="empty">${all.length === 0 ? 'The store is empty. Add an animal, or reset the mock.' : 'No animal matches.'}</p>`}
    </section>
  </div>`;
}

function AnimalRow({ animal }: { readonly animal: Animal }): View {
  const { id } = animal;
  return html`<tr>
    ${members.map((member) => html`<td>${showMember(member, animal)}</td>`)}
    <td><button type="button" class="danger" data-row=${id} aria-label=${`Remove ${id}`} onClick=${(event: Event) => remove(animal, event.currentTarget as Element)}>Remove</button></td>
  </tr>`;
}

function showMember({ name, type, values }: Member, { [name]: value }: Animal): View {
  if (value === undefined) return html`<span class="muted">none</span>`;
  if (type !== 'string') return html`<code>${toText(value)}</code>`;
  if (values !== undefined) return toText(value);
  return html`<span class="name">${shown(toText(value))}</span>`;
}

function remove({ id }: Animal, button: Element): Promise<void> {
  const row = button.closest('tr');
  const next = row?.nextElementSibling ?? row?.previousElementSibling;
  return attempt(async () => {
    await change(`Removed animal ${id}.`, () => ask('DELETE', `animals/${id}`));
    focusRow(next?.querySelector<HTMLElement>('[data-row]')?.dataset.row);
  });
}

/** A form that sends what was typed, right or wrong, and shows the error of the API. */
function AnimalForm(): View {
  const failure = useSignal<unknown>(undefined);
  const problems = failure.value instanceof RefusedError ? failure.value.problems : [];
  const submit = async () => {
    const typed = fields.map((field) => [
      field.name,
      toValue(field, recall(`add.${field.name}`, findUsual(field))),
    ]);
    const animal = Object.fromEntries(typed.filter(([, value]) => value !== ''));
    try {
      await change('Added an animal.', () => ask('POST', 'animals', animal));
      for (const { name } of fields) remember(`add.${name}`, undefined);
      failure.value = undefined;
      await poll();
    } catch (error) {
      failure.value = error;
    }
  };
  return html`<form class="fields" onSubmit=${submit} aria-label="Add an animal">
    ${fields.map(
      (
        field,
        index,
      ) => html`<${Field} name=${`add.${field.name}`} label=${field.name} aria-label=${`${field.name} of the new animal`}
      initial=${findUsual(field)} problem=${problems.find(({ member }) => member === field.name)?.message} ...${rulesOf(field)}
      ...${index === 0 && { 'data-key': 'a', title: 'Add an animal ( a )' }} />`,
    )}
    <button class="primary">Add</button>
    ${failure.value !== undefined && problems.length === 0 && html`<p class="fail" role="alert">✗ ${shown(describe(failure.value))}</p>`}
  </form>`;
}

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
