import '../common/theme/theme.js';
import { computed, effect } from '@preact/signals';
import { render } from 'preact';
import { attempt, dismiss, undo } from './app/notices.ts';
import { connect, poll } from './app/poll.ts';
import { focusRow, type Route, readHash, route, setQuery, toClosed, views } from './app/route.ts';
import * as store from './app/store.ts';
import { describeFaults, turnOff } from './app/undo.ts';
import { Copy, describeCount, Field, html, shown, type View } from './parts/parts.ts';
import { Animals } from './views/animals.ts';
import { Faults } from './views/faults.ts';
import { Requests } from './views/requests.ts';
import { SetUp } from './views/set-up.ts';
import { StoreState } from './views/store-state.ts';

const components: Readonly<Record<Route['view'], () => View>> = {
  requests: Requests,
  animals: Animals,
  faults: Faults,
  state: StoreState,
  'set-up': SetUp,
};

const keys = [
  ['/', 'filter'],
  ['j, k', 'next and previous row'],
  ['Enter', 'open the row'],
  ['u', 'undo the latest change'],
  ['Escape', 'close the open row, then empty the filter'],
  ['?', 'these keys'],
];

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
    <${Keys} />`;
}

function skip(event: Event): void {
  event.preventDefault();
  document.querySelector('main')?.focus();
}

function Bar(): View {
  const state = store.server.value;
  const active = store.faults.value;
  const clock = store.fixedTime.value?.slice(0, 10);
  return html`
    <${Copy} text=${store.baseUrl.value} label=${store.baseUrl.value} />
    ${store.connection.value === 'lost' && html`<span class="fail" role="alert">✗ Not connected; trying again</span>`}
    ${state?.upstream !== undefined && html`<span>→ ${state.upstream}</span>`}
    ${state?.animals !== undefined && html`<span>${describeCount(state.animals, 'animal')}</span>`}
    ${state && html`<span>${state.lastRequest.toLocaleString()} received</span>`}
    ${store.session && html`<span>session <strong>${store.session}</strong></span>`}
    ${clock && html`<a class="warn" href="#/state">! clock ${clock}</a>`}
    ${active.length > 0 && html`<span class="fail">✗ <a class="fail" href="#/faults">${describeFaults(active)}</a> <button type="button" onClick=${() => attempt(() => turnOff(active))}>Turn ${active.length > 1 && 'all '}off</button></span>`}
    <span class="end"><button type="button" class="theme"><span class="to-light">Light</span><span class="to-dark">Dark</span></button><button type="button" aria-label="Keys" title="Keys ( ? )" onClick=${showKeys}>?</button></span>`;
}

function Waiting(): View {
  if (store.connection.value === 'locked') return html`<${TokenForm} />`;
  if (store.connection.value === 'ended')
    return html`<p class="empty">Session <strong>${store.session}</strong> has ended, or the mock was restarted.
      ${' '}<a href="/">The mock itself</a> <button type="button" onClick=${() => location.reload()}>Open it again</button></p>`;
  if (store.refusal.value !== '') return html`<p class="empty fail">✗ ${store.refusal}</p>`;
  const lost = `The ${store.serverName} does not answer. Start it again with npx animal-store-${store.serverName}`;
  return html`<p class="empty">${store.connection.value === 'lost' ? lost : 'Connecting …'}</p>`;
}

function TokenForm(): View {
  const hint = store.isProxy
    ? 'Open the address of the console that the proxy has printed, or type the token at its end.'
    : 'This mock was started with --admin-token.';
  return html`<form class="page fields" onSubmit=${connect}>
    <p>${hint}${store.recall('token') !== '' && html` <span class="fail">✗ ${store.refusal}</span>`}</p>
    <${Field} name="token" label=${store.isProxy ? 'Token' : 'Admin token'} type="password" pattern="[\t -~\x80-\xff]*"
      title="Only Latin letters, digits and signs: a header cannot hold other characters." /><button class="primary">Connect</button>
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
      <button type="button" class="plain" aria-label="Close" onClick=${leave(() => dismiss(notice))}>✕</button></p>`,
  )}</div>`;
}

function Keys(): View {
  return html`<dialog aria-label="Keys">
    <dl>${keys.map(([key, effect]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${effect}</dd></div>`)}</dl>
    <form method="dialog"><button>Close</button></form>
  </dialog>`;
}

function showKeys(): void {
  document.querySelector('dialog')?.showModal();
}

function handleKey(event: KeyboardEvent): void {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  const search = document.querySelector<HTMLInputElement>('input[type=search]');
  if (ctrlKey || metaKey || altKey || document.querySelector('dialog[open]') !== null) return;
  if (key === 'Escape') stepBack(search);
  if ((target as Element).matches('input:not([type=checkbox]), select, textarea')) return;
  if (key === '/' && search !== null) {
    event.preventDefault();
    search.focus();
  }
  if (key === 'u') undo();
  if (key === '?') showKeys();
  if (key === 'j' || key === 'k') moveFocus(key === 'j' ? 1 : -1);
}

function stepBack(search: HTMLInputElement | null): void {
  const isSearching = document.activeElement === search;
  if (isSearching && search?.value === '') search.blur();
  else if (isSearching || route.value.id === '') setQuery({});
  else location.hash = toClosed();
}

function moveFocus(step: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const focused = rows.findIndex((row) => row.matches(':focus'));
  const index = focused === -1 ? rows.findIndex((row) => row.matches('[aria-current=true]')) : focused;
  rows[index === -1 ? 0 : index + step]?.focus();
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
    `Animal Store ${store.serverName}`,
  ];
  document.title = parts.filter(Boolean).join(' · ');
});
render(html`<${Page} />`, document.body);
// A view reads more when it opens.
computed(() => route.value.view).subscribe(() => void poll().catch(() => {}));
void connect();
