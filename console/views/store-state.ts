import { signal } from '@preact/signals';
import { namedBehaviours, printDifference } from '../../mock/choices/behaviours.ts';
import type { ChoiceName, Difference } from '../../mock/choices/choices.ts';
import {
  choiceNames,
  choiceOf,
  describeValueOf,
  nameInWords,
  printValue,
  valuesOf,
} from '../../mock/choices/choices.ts';
import type { ProfileSummary } from '../../mock/session/session.ts';
import { ask } from '../app/ask.ts';
import { attempt } from '../app/notices.ts';
import { readers } from '../app/poll.ts';
import { fixedTime, recall, remember, server } from '../app/store.ts';
import { replaceAnimals } from '../app/undo.ts';
import { Field, type FieldEvent, html, Select, type View } from '../parts/parts.ts';

/** First day without getPet. Source: specification, Versioning */
const REMOVAL = '2030-12-05';

const profiles = signal<readonly ProfileSummary[]>([]);

readers.state = async () => {
  profiles.value = await ask('GET', 'profiles');
};

export function StoreState(): View {
  const { apiKeys } = server.value?.settings ?? {};
  const fills = profiles.value.map(
    (one) => html`<li>
      <strong>${one.name}</strong> <span class="muted">${one.animals.toLocaleString()}: ${one.purpose}</span>
      <button type="button" onClick=${() => replaceAnimals(`profiles/${one.name}/fill`, one.name)} aria-label=${`Fill with ${one.name}`}>Fill</button></li>`,
  );
  return html`<div class="page columns">
    <section>
    <h2>Set the clock</h2>
    <${Clock} />
    </section>
    <section>
    <h2>Fill the store</h2>
    <p>A profile replaces all animals.</p>
    <ul class="lines">${fills}</ul>
    </section>
    <section>
    <h2>Change the behaviour</h2>
    <${Choices} />
    </section>
    <section>
    <h2>Change the keys</h2>
    <form class="fields" onSubmit=${changeKeys}>
      <${Field} name="keys" label=${`API keys, separated by spaces (${apiKeys?.length} accepted)`} />
      <button>Replace keys</button>
    </form>
    </section>
  </div>`;
}

const configure = (changes: object): Promise<void> => attempt(() => ask('PATCH', 'settings', changes));

function Choices(): View {
  const behaviour: Difference = server.value?.settings?.behaviour ?? {};
  const set = ({ currentTarget: { name, value } }: FieldEvent) => {
    const chosen = valuesOf(name as ChoiceName).find((one) => String(one) === value);
    return configure({ behaviour: { ...behaviour, [name]: chosen } });
  };
  const names = Object.keys(namedBehaviours).map(
    (name) => html`<button type="button" onClick=${() => configure({ behaviour: name })}>${name}</button> `,
  );
  const fields = choiceNames.map((name) => {
    const values = valuesOf(name);
    const current = behaviour[name] ?? values[0];
    const isListed = values.some((value) => value === current);
    // A free value, which was set by name or learned, is shown until another one is chosen.
    const offered = isListed ? values : [...values, current];
    const options = offered.map((value) => [printValue(value), describeValueOf(name, value)] as const);
    return html`<li><label for=${name} title=${choiceOf(name).about}>${nameInWords(name)}</label>
      <${Select} id=${name} name=${name} onChange=${set} options=${options} value=${printValue(current)} /></li>`;
  });
  return html`<p>The specification leaves these choices to each deployment. Differs from the default:
      ${' '}${printDifference(behaviour).join(', ') || 'nothing'}</p>
    <p>${names}</p>
    <details><summary>Set each choice</summary><ul class="lines">${fields}</ul></details>`;
}

function Clock(): View {
  const now = fixedTime.value ?? new Date().toISOString();
  const day = now.slice(0, 10);
  const set = ({ currentTarget: { value } }: FieldEvent) => value !== '' && configure({ now: value });
  const clock = fixedTime.value === undefined ? 'Real time' : `Fixed at ${now.slice(11, 19)} UTC`;
  const works = html`<span class="pass">✓ works</span>`;
  const isRemoved = html`<span class="warn">! is removed and returns 404</span>`;
  return html`<p>${clock}: <code>getPet</code> ${day >= REMOVAL ? isRemoved : works}</p>
    <div class="fields">
      <button type="button" onClick=${() => configure({ now: new Date().toISOString() })}>Freeze</button>
      <button type="button" onClick=${() => configure({ now: REMOVAL })}>5 December 2030</button>
      <button type="button" onClick=${() => configure({ now: null })}>Real time</button>
      <label><span>Date of the mock</span><input type="date" value=${day} onChange=${set} /></label>
    </div>`;
}

function changeKeys(): Promise<void> {
  const apiKeys = recall('keys').split(/\s+/).filter(Boolean);
  return attempt(async () => {
    await ask('PATCH', 'settings', { apiKeys });
    for (const name of ['key', 'ownKey']) remember(name, apiKeys[0]);
    remember('keys', undefined);
  });
}
