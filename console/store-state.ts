import { ask } from './ask.ts';
import { fill, type Profile, reset, restore } from './change-store.ts';
import { isClockMoved, readClock, refresh, type ServerState, session, state } from './data.ts';
import { html, type View } from './html.ts';
import { recall, remember } from './memory.ts';
import { attempt, tell } from './notice.ts';
import { Code, Field, shown } from './parts.ts';

/** The day on which getPet is gone. Source: specification, Versioning */
const REMOVAL = Date.UTC(2030, 11, 5);

const DAY = 86_400_000;

let profiles: readonly Profile[] = [];
let sessions: readonly string[] = [];
/** Those that are about to be ended. */
const ending = new Set<string>();
let snapshots: readonly string[] = [];
let isAsked = false;

/** What the mock holds beside its animals: all of it can be changed, and put back. */
export function StoreState(): View {
  // A session that has ended would be made anew.
  if (!isAsked && state.connection === 'open') void readNames();
  const { server } = state;
  if (server === undefined) return html`<p class="empty">Waiting for the mock …</p>`;
  const { settings } = server;
  return html`<div class="page columns">
    <section>
    <h2>Reset</h2>
    <p>Everything as it started: animals, faults, settings; requests and violations are forgotten. Snapshots stay.</p>
    <p><button type="button" onClick=${reset}>Reset</button></p>
    <h2>Fill the store</h2>
    <p>The animals of a profile take the place of all. A reset goes back to what the mock started with.</p>
    <${Profiles} />
    <h2>Snapshots</h2>
    <${Snapshots} />
    </section>
    <section>
    <h2>Clock</h2>
    <${Clock} server=${server} />
    <h2>Settings</h2>
    <div class="fields">
      <${Setting} name="order" label="Order of lists" value=${settings.order} options=${['newest', 'oldest', 'random']} />
      <${Setting} name="limitPolicy" label="A limit outside 1 to 100" value=${settings.limitPolicy} options=${['reject', 'clamp']} />
    </div>
    <form class="fields" onSubmit=${changeKeys}>
      <${Field} name="keys" label=${`API keys, separated by blanks (${settings.apiKeys.length} accepted now)`} />
      <button>Accept these alone</button>
    </form>
    <h2>Sessions</h2>
    <${Sessions} />
    </section>
  </div>`;
}

async function configure(changes: object): Promise<boolean> {
  const isDone = await attempt(() => ask('PATCH', 'settings', changes));
  dragged = undefined;
  refresh();
  return isDone;
}

function Profiles(): View {
  return html`<ul class="lines">${profiles.map(
    (
      profile,
    ) => html`<li><strong>${profile.name}</strong> <span class="muted">${profile.animals.toLocaleString()}: ${profile.purpose}</span>
      <button type="button" onClick=${() => fill(profile)} aria-label=${`Fill with ${profile.name}`}>Fill</button></li>`,
  )}</ul>`;
}

/** What a browser says when a name is empty, or is not one. */
const nameRules = {
  required: true,
  pattern: '[\\w.\\-]{1,64}',
  title: 'Up to 64 letters, digits, “.”, “_” and “-”',
};

function Snapshots(): View {
  const read = () => recall('snapshot', 'one');
  const keep = async (event: Event) => {
    event.preventDefault();
    const name = read();
    if (await attempt(() => ask('PUT', `snapshots/${encodeURIComponent(name)}`))) {
      await readNames();
      tell({ text: `Kept ${state.server?.animals} animals as ${name}` });
    }
  };
  const forget = (name: string) =>
    attempt(async () => {
      await ask('DELETE', `snapshots/${encodeURIComponent(name)}`);
      await readNames();
    });
  const bringBack = ({ currentTarget: { form } }: { currentTarget: HTMLButtonElement }) =>
    form?.reportValidity() && restore(read());
  return html`<form class="fields" onSubmit=${keep}>
      <${Field} ...${nameRules} name="snapshot" label="Name" otherwise="one" />
      <button>Keep the animals</button>
      <button type="button" onClick=${bringBack}>Bring them back</button>
    </form>
    ${
      snapshots.length > 0 &&
      html`<ul class="lines">${snapshots.map(
        (name) => html`<li>${shown(name)}
        <button type="button" onClick=${() => restore(name)} aria-label=${`Bring ${name} back`}>Bring back</button>
        <button type="button" class="plain" onClick=${() => forget(name)} aria-label=${`Forget ${name}`}>Forget</button></li>`,
      )}</ul>`
    }`;
}

/** The day that the slider is dragged to, before it is let go. */
let dragged: number | undefined;

function Clock({ server }: { readonly server: ServerState }): View {
  const { clock } = server.settings;
  const today = Math.floor(Date.now() / DAY) * DAY;
  const days = Math.round((REMOVAL - today) / DAY);
  const moved = isClockMoved(server);
  const toTime = (to: number) => new Date(today + to * DAY).toISOString();
  const now = dragged === undefined ? readClock(server) : toTime(dragged);
  const day = Math.floor((Date.parse(now) - today) / DAY);
  const drag = (event: { currentTarget: HTMLInputElement }) => {
    dragged = Number(event.currentTarget.value);
    refresh();
  };
  const move = (event: { currentTarget: HTMLInputElement }) =>
    configure({ now: toTime(Number(event.currentTarget.value)), clock });
  const isGone = Date.parse(now) >= REMOVAL;
  return html`<p><strong>${now.slice(0, 10)}</strong>${' '}
      ${dragged !== undefined ? 'when you let go' : moved ? `${now.slice(11, 19)} UTC, ${clock === 'still' ? 'stands still' : 'goes on from there'}` : 'the real time'}:
      ${' '}<code>getPet</code> ${isGone ? html`<span class="warn">! is gone: 404</span>` : html`<span class="pass">✓ is there</span>`}</p>
    <label class="slider"><span>Day of the mock; getPet goes on 5 December 2030</span>
      <input type="range" min="0" max=${days + 60} value=${day} list="removal" aria-valuetext=${now.slice(0, 10)} onInput=${drag} onChange=${move} />
      <datalist id="removal"><option value=${days}></option></datalist></label>
    <p class="actions">
      <button type="button" onClick=${() => configure({ now: null })}>Real time</button>
      <button type="button" onClick=${() => configure({ now: '2030-12-04T23:59:50Z', clock: 'running' })}>Ten seconds before</button>
      <button type="button" onClick=${() => configure({ now: '2030-12-05' })}>5 December 2030</button>
      ${moved && html`<button type="button" onClick=${() => configure({ clock: clock === 'still' ? 'running' : 'still' })}>${clock === 'still' ? 'Let it go on' : 'Let it stand still'}</button>`}
    </p>`;
}

function Setting(props: {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly options: readonly string[];
}): View {
  const { name, label, value, options } = props;
  const change = async ({ currentTarget: select }: { currentTarget: HTMLSelectElement }) => {
    if (!(await configure({ [name]: select.value }))) select.value = value;
  };
  return html`<label><span>${label}</span><select onChange=${change}>${options.map(
    (one) => html`<option value=${one} selected=${one === value}>${one}</option>`,
  )}</select></label>`;
}

async function changeKeys(event: Event): Promise<void> {
  event.preventDefault();
  const apiKeys = recall('keys').split(/\s+/).filter(Boolean);
  if (!(await configure({ apiKeys }))) return;
  for (const name of ['key', 'ownKey']) remember(name, apiKeys[0]);
  remember('keys', undefined);
  tell({ text: 'Accepted from now on; all others are refused with a 401' });
}

async function readNames(): Promise<void> {
  isAsked = true;
  setTimeout(() => {
    isAsked = false;
  }, 2_000);
  await attempt(async () => {
    sessions = await ask('GET', '/__admin/sessions');
    snapshots = await ask('GET', 'snapshots');
    if (profiles.length === 0) profiles = await ask('GET', 'profiles');
    refresh();
  });
}

/** Ends a session when that cannot be undone any more. */
function end(name: string): void {
  const show = () => {
    ending.delete(name);
    refresh();
  };
  const { connections } = state;
  const endNow = async () => {
    // A mock that was started again has another session of that name.
    if (connections !== state.connections) return;
    await attempt(() => ask('DELETE', `/__admin/sessions/${encodeURIComponent(name)}`));
    if (name === session) state.connection = 'ended';
    else await readNames();
    show();
  };
  tell({ text: `Session ${name} ends in ten seconds`, undo: async () => show(), end: endNow });
  ending.add(name);
}

function Sessions(): View {
  const shownNames = sessions.filter((name) => !ending.has(name));
  const open = (event: Event) => {
    event.preventDefault();
    location.assign(`/sessions/${encodeURIComponent(recall('session', 'w1'))}/`);
  };
  return html`<p>A store of its own for each parallel test; this is ${session === undefined ? 'the mock itself' : html`session <strong>${session}</strong> (<a href="/">the mock itself</a>)`}.</p>
    ${
      shownNames.length > 0 &&
      html`<ul class="lines">${shownNames.map(
        (name) =>
          html`<li><a href=${`/sessions/${name}/`}>${shown(name)}</a> <button type="button" onClick=${() => end(name)} aria-label=${`End ${name}`}>End</button></li>`,
      )}</ul>`
    }
    <form class="fields" onSubmit=${open}><${Field} ...${nameRules} name="session" label="Name" otherwise="w1" /><button>Open</button></form>
    <${Code} label="Base URL of a session" text=${`${location.origin}/sessions/${recall('session', 'w1')}/v1`} />`;
}
