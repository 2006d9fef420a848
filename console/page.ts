import '../common/theme/theme.js';
import { computed, effect } from '@preact/signals';
import { render } from 'preact';
import type { Fault } from '../mock/faults/faults.ts';
import { attempt, dismiss, undo } from './app/notices.ts';
import { connect, poll } from './app/poll.ts';
import { ALL, focusRow, isOfAll, readHash, route, setQuery, toClosed, views } from './app/route.ts';
import * as store from './app/store.ts';
import { describeFault, describeFaults, reset, turnOff } from './app/undo.ts';
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
import { marks } from './parts/status.ts';
import { Animals } from './views/animals.ts';
import { Coverage } from './views/coverage.ts';
import { Faults } from './views/faults.ts';
import { Requests } from './views/requests.ts';
import { isEditing, stopEditing } from './views/send-again.ts';
import { SetUp } from './views/set-up.ts';
import { StoreState } from './views/store-state.ts';

const ofBoth = { requests: Requests, 'set-up': SetUp };
const components = { ...ofBoth, animals: Animals, faults: Faults, state: StoreState, coverage: Coverage };

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
    <a class="skip" href="#main" onClick=${skip}>To the content</a>
    <header class="bar"><${Bar} /></header>
    <nav aria-label="Views">${Object.entries(views).map(
      ([one, label]) =>
        html`<a href=${`#/${one}`} aria-current=${one === view ? 'page' : undefined}>${label}</a>`,
    )}${!store.isProxy && html`<a href="docs">API reference</a>`}</nav>
    <main id="main" tabindex="-1">
      <h1 class="hidden">${views[view]}</h1>
      <${isWaiting ? Waiting : components[view]} />
    </main>
    <${Notices} />
    <${Legend} />`;
}

function skip(event: Event): void {
  event.preventDefault();
  focusContent();
}

function focusContent(): void {
  (findRows()[0] ?? document.querySelector('main'))?.focus();
}

function Bar(): View {
  const state = store.server.value;
  const active = store.faults.value;
  const clock = store.fixedTime.value?.slice(0, 10);
  return html`<strong>${store.productName}</strong>
    <div class="now">
    <${Copy} text=${store.appUrl.value} label=${store.appUrl.value} />
    ${store.connection.value === 'lost' && html`<span class="fail" role="alert">✗ Not connected. Connecting again …</span>`}
    ${state?.upstream !== undefined && html`<span>→ ${state.upstream}</span>`}
    ${state?.animals !== undefined && html`<span>${describeCount(state.animals, 'animal')}</span>`}
    ${state && html`<span>${describeCount(state.lastRequest - state.oldestRequest + 1, 'request')}</span>`}
    <${SessionSwitch} />
    ${clock && html`<a class="warn" href="#/state">! clock ${clock}</a>`}
    ${active.length > 0 && html`<${ActiveFaults} active=${active} />`}
    </div>
    <span class="end">
      ${state?.settings && html`<button type="button" class="danger apart" data-key="R" title=${RESET_TITLE} onClick=${reset}>Reset</button>`}
      <button type="button" class="theme">
        <span class="to-light">Light</span><span class="to-dark">Dark</span>
      </button>
      <button type="button" aria-label="Keys and marks" title="Keys and marks ( ? )" onClick=${showLegend}>?</button>
    </span>`;
}

/** Leads to another session, or to the requests of all sessions. */
function SessionSwitch(): View {
  const sessions = store.server.value?.sessions ?? [];
  const isAlone = sessions.length < 2 && store.session === undefined;
  if (store.isProxy || isAlone) return null;
  const total = sessions.reduce((sum, { requests }) => sum + requests, 0);
  const options = sessions.map(
    ({ name = '', requests }) => [toSessionPath(name), `${name || 'no session'} (${requests})`] as const,
  );
  const current = isOfAll.value ? ALL_PATH : store.base;
  const open = ({ currentTarget }: FieldEvent) => location.assign(currentTarget.value);
  return html`<${Select} aria-label="Session" title="Session ( s )" data-key="s" onChange=${open} value=${current}
    options=${[...options, [ALL_PATH, `all sessions (${total})`]]} />`;
}

const toSessionPath = (name: string): string => (name === '' ? '/' : `/sessions/${name}/`);

/** Address of the requests of all sessions. */
const ALL_PATH = `/#/requests?session=${ALL}`;

function ActiveFaults({ active }: { readonly active: readonly Fault[] }): View {
  const turnAllOff = () => attempt(() => turnOff(active));
  return html`<span class="fail active">✗ <a class="fail" title=${active.map(describeFault).join('\n')} href="#/faults">${describeFaults(active)}</a>
    ${' '}<button type="button" onClick=${turnAllOff}>Turn ${active.length > 1 && 'all '}off</button></span>`;
}

function Waiting(): View {
  if (store.connection.value === 'locked') return html`<${TokenForm} />`;
  if (store.connection.value === 'ended')
    return html`<p class="empty">Session <strong>${store.session}</strong> has ended, or the mock was restarted.
      ${' '}<a href="/">Open the mock</a> <button type="button" onClick=${() => location.reload()}>Reopen</button></p>`;
  if (store.refusal.value !== '') return html`<p class="empty fail">✗ ${store.refusal}</p>`;
  const lost = `The ${store.serverName} does not respond. Start it with ${store.printCommand(store.serverName)}`;
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

function Notices(): View {
  const leave = (act: () => unknown) => () => {
    act();
    focusRow();
  };
  return html`<div class="notice" role="status">${store.notices.value.map(
    (notice) =>
      html`<p>${notice.isFailure && html`<span class="fail">✗ </span>`}${shown(notice.text)}
      ${notice.undo && html` <button type="button" title="Undo the latest change ( u )" onClick=${leave(() => undo(notice))}>Undo</button>`}
      <button type="button" aria-label="Close" onClick=${leave(() => dismiss(notice))}>✕</button></p>`,
  )}</div>`;
}

function Legend(): View {
  const list = (items: readonly (readonly string[])[]) =>
    html`<dl>${items.map(([name, meaning]) => html`<div><dt><kbd>${name}</kbd></dt><dd>${meaning}</dd></div>`)}</dl>`;
  return html`<dialog aria-label="Keys and marks">
    <h2>Keys</h2>${list(keys)}
    <h2>Marks of requests</h2>${list(Object.values(marks))}
    <form method="dialog"><button>Close</button></form>
  </dialog>`;
}

const showLegend = (): void => document.querySelector('dialog')?.showModal();

function handleKey(event: KeyboardEvent): void {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  const search = document.querySelector<HTMLInputElement>('input[type=search]');
  if (ctrlKey || metaKey || altKey || document.querySelector('dialog[open]') !== null) return;
  if (key === 'Escape') stepBack(search);
  const isFiltering = target === search && /^(?:Enter|ArrowDown)$/.test(key);
  if (isFiltering) findRows()[0]?.focus();
  const isMove = /^[jk]$/.test(key);
  if ((target as Element).matches('input:not([type=checkbox]), textarea')) return;
  if ((target as Element).matches('select') && !isMove) return;
  if (key === '/' && search !== null) {
    event.preventDefault();
    search.focus();
  }
  const keyed = document.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
  if (keyed !== null) {
    // The key must not be typed into the field that it opens.
    event.preventDefault();
    press(keyed);
  }
  if (key === 'u') undo();
  if (key === '?') showLegend();
  const view = Object.keys(views)[Number(key) - 1];
  if (view !== undefined) {
    location.hash = `#/${view}`;
    // The next Tab is in the view.
    document.querySelector('main')?.focus();
  }
  if (!isMove) return;
  // In a select, the letter would choose an option.
  event.preventDefault();
  moveFocus(key === 'j' ? 1 : -1);
}

/** Does what the key of an element is for. A button that deletes is only focused. */
function press(keyed: HTMLElement): void {
  const details = keyed.matches('summary') ? keyed.closest('details') : null;
  if (details !== null) {
    details.open = true;
    details.querySelector('input')?.focus();
  } else if (keyed.matches('select, .danger')) keyed.focus();
  else keyed.click();
}

function stepBack(search: HTMLInputElement | null): void {
  const isSearching = document.activeElement === search;
  if (isEditing(route.value.id)) stopEditing();
  else if (isSearching && search?.value === '') search.blur();
  else if (isSearching || route.value.id === '') setQuery({});
  else location.hash = toClosed();
}

const findRows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-row]')];

function moveFocus(step: number): void {
  const rows = findRows();
  const current = rows.find((row) => row.matches(':focus')) ?? rows.find((row) => row.ariaCurrent === 'true');
  rows[current === undefined ? 0 : rows.indexOf(current) + step]?.focus();
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
// Handlers send the forms. Only the form of the dialog is the task of the browser.
addEventListener('submit', (event) => {
  if ((event.target as HTMLFormElement).method !== 'dialog') event.preventDefault();
});
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
// A view reads more when it opens.
computed(() => `${route.value.view} ${isOfAll.value}`).subscribe(() => void poll().catch(() => {}));
void connect();
