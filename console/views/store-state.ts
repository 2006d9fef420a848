import { signal } from '@preact/signals';
import { namedBehaviours, printDifference } from '../../common/behaviour/behaviours.ts';
import type { Choice, ChoiceName, Difference } from '../../common/behaviour/choices.ts';
import {
  choiceNames,
  choices,
  describeValueOf,
  nameInWords,
  printValue,
} from '../../common/behaviour/choices.ts';
import type { ProfileSummary } from '../../mock/session/session.ts';
import { ask } from '../app/ask.ts';
import { attempt, notify } from '../app/notices.ts';
import { readers } from '../app/poll.ts';
import { connection, fixedTime, recall, remember, server, session } from '../app/store.ts';
import { replaceAnimals } from '../app/undo.ts';
import { Code, Field, type FieldEvent, html, Select, shown, type View } from '../parts/parts.ts';

/** First day without getPet. Source: specification, Versioning */
const REMOVAL = '2030-12-05';

const profiles = signal<readonly ProfileSummary[]>([]);
const snapshots = signal<readonly string[]>([]);
const sessions = signal<readonly string[]>([]);

readers.state = async () => {
  profiles.value = await ask('GET', 'profiles');
  snapshots.value = await ask('GET', 'snapshots');
  sessions.value = await ask('GET', '/__admin/sessions');
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
    <h2>Save and restore animals</h2>
    <${Snapshots} />
    </section>
    <section>
    <h2>Open a session</h2>
    <${Sessions} />
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
    const chosen = (choices[name as ChoiceName] as Choice).values.find((one) => String(one) === value);
    return configure({ behaviour: { ...behaviour, [name]: chosen } });
  };
  const names = Object.keys(namedBehaviours).map(
    (name) => html`<button type="button" onClick=${() => configure({ behaviour: name })}>${name}</button> `,
  );
  const fields = choiceNames.map((name) => {
    const { sentence, values }: Choice = choices[name];
    const current = behaviour[name] ?? values[0];
    const isListed = values.some((value) => value === current);
    // A free value, which was set by name or learned, is shown until another one is chosen.
    const offered = isListed ? values : [...values, current];
    const options = offered.map((value) => [printValue(value), describeValueOf(name, value)] as const);
    return html`<li><label for=${name} title=${sentence}>${nameInWords(name)}</label>
      <${Select} id=${name} name=${name} onChange=${set} options=${options} value=${printValue(current)} /></li>`;
  });
  return html`<p>The specification leaves these choices to each deployment. Differs from the default:
      ${' '}${printDifference(behaviour).join(', ') || 'nothing'}</p>
    <p>${names}</p>
    <details><summary>Set each choice</summary><ul class="lines">${fields}</ul></details>`;
}

const nameRules = {
  required: true,
  pattern: '[\\w.\\-]{1,64}',
  title: 'Use up to 64 letters, digits, “.”, “_” and “-”.',
};

function Snapshots(): View {
  const toPath = (name: string) => `snapshots/${encodeURIComponent(name)}`;
  const change = (method: string, name: string) => attempt(() => ask(method, toPath(name)));
  return html`<form class="fields" onSubmit=${() => change('PUT', recall('snapshot', 'one'))}>
      <${Field} ...${nameRules} name="snapshot" label="Snapshot name" initial="one" />
      <button>Save snapshot</button>
    </form>
    <ul class="lines">${snapshots.value.map(
      (name) => html`<li>${shown(name)}
      <button type="button" onClick=${() => replaceAnimals(`${toPath(name)}/restore`, `snapshot ${name}`)} aria-label=${`Restore snapshot ${name}`}>Restore snapshot</button>
      <button type="button" class="danger" onClick=${() => change('DELETE', name)} aria-label=${`Delete snapshot ${name}`}>Delete</button></li>`,
    )}</ul>`;
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

function endSession(name: string): void {
  const before = sessions.value;
  sessions.value = before.filter((one) => one !== name);
  const end = () => {
    if (name === session) connection.value = 'ended';
    return attempt(() => ask('DELETE', `/__admin/sessions/${encodeURIComponent(name)}`));
  };
  const undo = async () => {
    sessions.value = before;
  };
  notify({ text: `Session ${name} ends in ten seconds.`, undo, end });
}

function Sessions(): View {
  const open = () => location.assign(`/sessions/${encodeURIComponent(recall('session', 'w1'))}/`);
  const own = html`This is session <strong>${session}</strong>. <a href="/">Open the mock</a>`;
  return html`<p>A session is a separate store for a parallel test. ${session !== undefined && own}</p>
    <ul class="lines">${sessions.value.map(
      (name) =>
        html`<li><a href=${`/sessions/${name}/`}>${shown(name)}</a> <button type="button" class="danger" onClick=${() => endSession(name)} aria-label=${`End ${name}`}>End</button></li>`,
    )}</ul>
    <form class="fields" onSubmit=${open}><${Field} ...${nameRules} name="session" label="Session name" initial="w1" /><button>Open</button></form>
    <${Code} label="Base URL of the session" text=${`${location.origin}/sessions/${recall('session', 'w1')}/v1`} />`;
}
