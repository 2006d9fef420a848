import '../common/theme/theme.js';
import '../common/theme/copy.js';
import { effect } from '@preact/signals';
import { render } from 'preact';
import type { Fault } from '../mock/faults/faults.ts';
import { ask } from './app/ask.ts';
import { attempt, notice } from './app/notices.ts';
import { connect } from './app/poll.ts';
import { focusRow, readHash, route, setQuery, toClosed, views } from './app/route.ts';
import * as store from './app/store.ts';
import { marks } from './parts/find-mark.ts';
import {
  Copy,
  describeCount,
  Field,
  type FieldEvent,
  html,
  Select,
  shown,
  type View,
} from './parts/parts.ts';
import { Animals } from './views/animals.ts';
import { Coverage } from './views/coverage.ts';
import { describeFault, describeFaults, Faults, turnOff } from './views/faults.ts';
import { Requests } from './views/requests.ts';
import { StoreState } from './views/store-state.ts';

const components = {
  requests: Requests,
  animals: Animals,
  faults: Faults,
  state: StoreState,
  coverage: Coverage,
};

/** Keys and what they do. An element with `data-key` is clicked, or focused if it takes text or deletes. */
const keys = [
  [`1 to ${Object.keys(views).length}`, 'open a view'],
  ['/', 'filter, and from there Enter or ↓ to the first row'],
  ['j, k', 'next and previous row'],
  ['Enter', 'open the row'],
  ['a', 'add an animal or a fault'],
  ['r', 'send the open request again'],
  ['c, f, d', 'copy it as curl, fail the next one like it, read its contract'],
  ['Escape', 'close the open row, then clear the filter'],
  ['s', 'go to the switch of sessions'],
  ['Shift R', 'go to Reset, which Enter then presses'],
  ['u', 'undo the latest change'],
  ['?', 'show this list'],
];

const RESET_TITLE =
  'Restore the animals, faults and settings of the start, and delete requests and violations. ( Shift R )';

function Page(): View {
  const { view } = route.value;
  const isWaiting = store.server.value === undefined || store.connection.value === 'locked';
  return html`
    <header class="bar"><${Bar} /></header>
    <nav aria-label="Views">${Object.entries(views).map(
      ([one, label], index) =>
        html`<a href=${`#/${one}`} data-key=${index + 1} aria-current=${one === view ? 'page' : undefined}>${label}</a>`,
    )}${!store.isProxy && html`<a href="docs">API reference</a>`}</nav>
    <main tabindex="-1">
      <h1 class="hidden">${views[view]}</h1>
      <${isWaiting ? Waiting : components[view]} />
    </main>
    <${Notice} />
    <${Legend} />`;
}

function Bar(): View {
  const state = store.server.value;
  const active = store.faults.value;
  const clock = store.fixedTime.value?.slice(0, 10);
  return html`<strong>${store.productName}</strong>
    <span class="side">
      ${state?.settings && html`<button type="button" class="danger" data-key="R" title=${RESET_TITLE} onClick=${() => attempt(() => ask('POST', 'reset'))}>Reset</button>`}
      <button type="button" class="theme">
        <span class="to-light">Light</span><span class="to-dark">Dark</span>
      </button>
      <button type="button" aria-label="Keys and marks" title="Keys and marks ( ? )" data-key="?" command="show-modal" commandfor="legend">?</button>
    </span>
    <${Copy} text=${store.appUrl.value} label=${store.appUrl.value} />
    ${store.connection.value === 'lost' && html`<span class="fail" role="alert">✗ Not connected. Connecting again …</span>`}
    ${state?.upstream !== undefined && html`<span>→ ${state.upstream}</span>`}
    ${state?.animals !== undefined && html`<span>${describeCount(state.animals, 'animal')}</span>`}
    ${state && html`<span>${describeCount(state.lastRequest - state.oldestRequest + 1, 'request')}</span>`}
    <${SessionSwitch} />
    ${clock && html`<a class="warn" href="#/state">! clock ${clock}</a>`}
    ${active.length > 0 && html`<${ActiveFaults} active=${active} />`}`;
}

/** Leads to another session. */
function SessionSwitch(): View {
  const sessions = store.server.value?.sessions ?? [];
  if (sessions.length < 2 && store.session === undefined) return null;
  const options = sessions.map(
    ({ name, requests }) =>
      [name === undefined ? '/' : `/sessions/${name}/`, `${name ?? 'no session'} (${requests})`] as const,
  );
  const open = ({ currentTarget }: FieldEvent) => location.assign(currentTarget.value);
  return html`<${Select} aria-label="Session" title="Session ( s )" data-key="s" onChange=${open} value=${store.base} options=${options} />`;
}

function ActiveFaults({ active }: { readonly active: readonly Fault[] }): View {
  return html`<span class="fail active">✗ <a class="fail" title=${active.map(describeFault).join('\n')} href="#/faults">${describeFaults(active)}</a>
    ${' '}<button type="button" onClick=${() => turnOff(active)}>Turn ${active.length > 1 && 'all '}off</button></span>`;
}

function Waiting(): View {
  if (store.connection.value === 'locked') return html`<${TokenForm} />`;
  if (store.connection.value === 'ended')
    return html`<p class="empty">Session <strong>${store.session}</strong> has ended, or the mock was restarted.
      ${' '}<a href="/">Open the mock</a> <button type="button" onClick=${() => location.reload()}>Reopen</button></p>`;
  if (store.refusal.value !== '') return html`<p class="empty fail">✗ ${store.refusal}</p>`;
  const lost = `The ${store.serverName} does not respond. Check that it is running.`;
  return html`<p class="empty">${store.connection.value === 'lost' ? lost : 'Connecting …'}</p>`;
}

function TokenForm(): View {
  const hint = store.isProxy
    ? 'The proxy printed the address of this console. Open that address, or enter the token at its end.'
    : 'This mock requires the value of --admin-token.';
  const problem = store.recall('token') === '' ? '' : store.refusal.value;
  return html`<form class="page fields" onSubmit=${connect}>
    <p>${hint}</p>
    <${Field} name="token" label=${store.isProxy ? 'Token' : 'Admin token'} type="password" pattern="[\t -~\x80-\xff]*"
      title="Use only Latin letters, digits and signs. A header cannot contain other characters." problem=${problem} /><button class="primary">Connect</button>
  </form>`;
}

function Notice(): View {
  const { text, isFailure, undo } = notice.value ?? {};
  const leave = (act = async (): Promise<unknown> => undefined) => {
    notice.value = undefined;
    void attempt(act);
    focusRow();
  };
  return html`<div class="notice" role="status">${
    text !== undefined &&
    html`<p>
    ${isFailure && html`<span class="fail">✗ </span>`}${shown(text)}
    ${undo && html` <button type="button" title="Undo the latest change ( u )" data-key="u" onClick=${() => leave(undo)}>Undo</button>`}
    <button type="button" aria-label="Close" onClick=${() => leave()}>✕</button></p>`
  }</div>`;
}

function Legend(): View {
  const list = (items: readonly (readonly string[])[]) =>
    html`<dl>${items.map(([name, meaning]) => html`<div><dt><kbd>${name}</kbd></dt><dd>${meaning}</dd></div>`)}</dl>`;
  return html`<dialog id="legend" aria-label="Keys and marks">
    <h2>Keys</h2>${list(keys)}
    <h2>Marks of requests</h2>${list(Object.values(marks))}
    <button type="button" command="close" commandfor="legend">Close</button>
  </dialog>`;
}

function handleKey(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey } = event;
  const target = event.target as HTMLElement;
  if (ctrlKey || metaKey || altKey || document.querySelector('dialog[open]') !== null) return;
  if (key === 'Escape') stepBack();
  const isFiltering = target.matches('[type=search]') && /^(?:Enter|ArrowDown)$/.test(key);
  if (target.matches('input, select, textarea') && !isFiltering) return;
  const found = isFiltering ? findRow(0) : findByKey(key);
  if (!found) return;
  // The key must not be typed into the field that it opens.
  event.preventDefault();
  if (found.matches('input, select, .danger, [data-row]')) found.focus();
  else found.click();
}

function findByKey(key: string): HTMLElement | null | undefined {
  if (key === 'j') return findRow(1);
  if (key === 'k') return findRow(-1);
  return document.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
}

/** Finds the row that is so many rows after the focused or the open one. Without such a row, finds the first. */
function findRow(step: number): HTMLElement | undefined {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const current = rows.find((row) => row.matches(':focus')) ?? rows.find((row) => row.ariaCurrent === 'true');
  return rows[current === undefined ? 0 : rows.indexOf(current) + step];
}

function stepBack(): void {
  const search = document.querySelector<HTMLInputElement>('[type=search]:focus');
  if (search?.value === '') search.blur();
  else if (search !== null || route.value.id === '') setQuery({});
  else location.hash = toClosed();
}

/** Takes the token from the address that the proxy prints, so that neither the history nor the screen has it. */
function takeToken(): void {
  const [, token, view] = /^#token=([^/]+)(\/.*)?$/.exec(location.hash) ?? [];
  if (token === undefined) return;
  history.replaceState(null, '', view === undefined ? store.base : `#${view}`);
  readHash();
  store.remember('token', token);
  if (store.connection.value === 'locked') void connect();
}

takeToken();
addEventListener('hashchange', takeToken);
addEventListener('keydown', handleKey);
// Handlers send the forms.
addEventListener('submit', (event) => event.preventDefault());
effect(() => {
  const { upstream } = store.server.value ?? {};
  const parts = [
    store.connection.value === 'lost' && '✗ not connected',
    store.connection.value === 'ended' && '✗ ended',
    store.faults.value.length > 0 && `⚠ ${describeFaults(store.faults.value)}`,
    store.fixedTime.value && `clock ${store.fixedTime.value.slice(0, 10)}`,
    store.session,
    upstream && new URL(upstream).host,
    store.productName,
  ];
  document.title = parts.filter(Boolean).join(' · ');
});
render(html`<${Page} />`, document.body);
void connect();
