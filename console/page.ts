import { render } from 'preact';
import { Animals } from './animals.ts';
import { turnOff } from './change-store.ts';
import { connect, retry } from './connect.ts';
import {
  baseUrl,
  isClockMoved,
  isProxy,
  server as kind,
  onRefresh,
  readClock,
  refresh,
  session,
  state,
} from './data.ts';
import { Faults } from './faults.ts';
import { html, type View } from './html.ts';
import { handleKey, Keys } from './keys.ts';
import { recall, takeToken } from './memory.ts';
import { drop, undo } from './notice.ts';
import { Copy, describeFault, Field, shown, tickTimes } from './parts.ts';
import { Requests } from './requests.ts';
import { focusRow, type Route, readRoute, views } from './route.ts';
import { SetUp } from './set-up.ts';
import { SetUpProxy } from './set-up-proxy.ts';
import { StoreState } from './store-state.ts';
import { Verify } from './verify.ts';

const shownViews: Readonly<Record<Route['view'], (props: { readonly route: Route }) => View>> = {
  requests: Requests,
  animals: Animals,
  faults: Faults,
  state: StoreState,
  verify: Verify,
  'set-up': isProxy ? SetUpProxy : SetUp,
};

function Page(): View {
  const route = readRoute();
  return html`
    <a class="skip" href="#main" onClick=${skip}>To the content</a>
    <header class="bar"><${Bar} /></header>
    <nav aria-label="Views">${Object.entries(views).map(
      ([view, label]) =>
        html`<a href=${`#/${view}`} aria-current=${view === route.view ? 'page' : undefined}>${label}</a>`,
    )}${!isProxy && html`<a href="docs">API reference</a>`}</nav>
    <main id="main" tabindex="-1">
      <h1 class="hidden">${views[route.view]}</h1>
      ${state.server === undefined || state.needsToken || state.connection === 'ended' ? html`<${Waiting} />` : html`<${shownViews[route.view]} route=${route} />`}
    </main>
    <${Notices} />
    <${Keys} />`;
}

function skip(event: Event): void {
  event.preventDefault();
  document.querySelector('main')?.focus();
}

/** The state of the world, in one line. */
function Bar(): View {
  const { rate, connection } = state;
  const server = connection === 'ended' ? undefined : state.server;
  const faults = server?.faults ?? [];
  return html`
    <${Copy} text=${baseUrl} label=${baseUrl} />
    ${connection === 'lost' && !state.needsToken && html`<span class="fail" role="alert">✗ Not connected; trying again</span>`}
    ${server?.upstream !== undefined && html`<span>→ ${server.upstream}</span>`}
    ${server && html`${!isProxy && html`<span>${server.animals.toLocaleString()} ${server.animals === 1 ? 'animal' : 'animals'}</span>`}<span class=${rate === 0 ? 'idle' : ''}>${rate.toLocaleString()} requests/s</span>`}
    ${session && html`<span>session <strong>${session}</strong></span>`}
    ${server && isClockMoved(server) && html`<a class="warn" href="#/state">! clock ${readClock(server).slice(0, 10)}${server.settings.clock === 'still' ? ', still' : ''}</a>`}
    ${faults.length > 0 && html`<span class="fail">✗ <a class="fail" href="#/faults">${describeFaults()}</a> <button type="button" onClick=${() => turnOff(faults)}>Turn ${faults.length > 1 && 'all '}off</button></span>`}
    <span class="end"><button type="button" onClick=${switchTheme}>${isDark() ? 'Light' : 'Dark'}</button><button type="button" aria-label="Keys" title="Keys ( ? )" onClick=${() => document.querySelector('dialog')?.showModal()}>?</button></span>`;
}

function describeFaults(): string {
  const [first, ...others] = state.server?.faults ?? [];
  if (first === undefined) return '';
  return describeFault(first) + (others.length === 0 ? '' : ` and ${others.length} more`);
}

function Waiting(): View {
  if (state.needsToken) {
    return html`<form class="page fields" onSubmit=${(event: Event) => {
      event.preventDefault();
      retry();
    }}>
      <p>${isProxy ? describeTokenOfProxy() : 'This mock was started with --admin-token.'}${state.refusal !== '' && !isProxy && html` <span class="fail">✗ ${state.refusal}</span>`}</p>
      <${Field} name="token" label=${isProxy ? 'Token' : 'Admin token'} type="password" /><button class="primary">Connect</button>
    </form>`;
  }
  if (state.connection === 'ended') {
    return html`<p class="empty">Session <strong>${session}</strong> has ended, or the mock was started again.
      ${' '}<a href="/">The mock itself</a> <button type="button" onClick=${() => location.reload()}>Open it anew</button></p>`;
  }
  if (state.refusal !== '') return html`<p class="empty fail">✗ ${state.refusal}</p>`;
  return html`<p class="empty">${state.connection === 'lost' ? `The ${kind} does not answer. Start it again${isProxy ? ', and open the address that it prints.' : ': npx animal-store-mock'}` : 'Connecting …'}</p>`;
}

function describeTokenOfProxy(): View {
  const { refusal } = state;
  if (recall('token') === '' || refusal === '')
    return 'Open the address of the console that the proxy has printed, or type the token at its end.';
  const isOld = refusal.startsWith('The token of the console');
  const why = 'The proxy was started again, or the token is wrong: open the address that it prints.';
  return html`<span class="fail">✗ ${isOld ? why : refusal}</span>`;
}

function Notices(): View {
  const leave = (act: () => unknown) => () => {
    act();
    focusRow();
  };
  return html`<div class="notice" role="status">${state.notices.map(
    (notice) =>
      html`<p>${notice.isFailure && html`<span class="fail">✗ </span>`}${shown(notice.text)}
      ${notice.undo && html` <button type="button" title="Undo the latest ( u )" onClick=${leave(() => undo(notice))}>Undo</button>`}
      <button type="button" class="plain" aria-label="Close" onClick=${leave(() => drop(notice))}>✕</button></p>`,
  )}</div>`;
}

const root = document.documentElement;
const showTheme = () => {
  const theme = localStorage.getItem('theme');
  if (theme !== null) root.dataset.theme = theme;
};
showTheme();
// It was switched in another tab.
addEventListener('storage', () => {
  showTheme();
  refresh();
});
const isDark = () =>
  (root.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : '')) === 'dark';

function switchTheme(): void {
  root.dataset.theme = isDark() ? 'light' : 'dark';
  localStorage.setItem('theme', root.dataset.theme);
  refresh();
}

onRefresh(() => {
  const { connection, server } = state;
  const has = connection === 'ended' ? undefined : server;
  document.title = [
    ...(connection === 'lost' && !state.needsToken
      ? ['✗ not connected']
      : connection === 'ended'
        ? ['✗ ended']
        : []),
    ...(has?.faults.length ? [`⚠ ${describeFaults()}`] : []),
    ...(has && isClockMoved(has) ? [`clock ${readClock(has).slice(0, 10)}`] : []),
    ...(session === undefined ? [] : [session]),
    ...(server?.upstream === undefined ? [] : [new URL(server.upstream).host]),
    `Animal Store ${kind}`,
  ].join(' · ');
  render(html`<${Page} />`, document.body);
});
addEventListener('hashchange', () => {
  if (takeToken()) retry();
  refresh();
});
addEventListener('keydown', handleKey);
setInterval(() => {
  tickTimes();
  if (state.server !== undefined && isClockMoved(state.server)) refresh();
}, 1_000);
takeToken();
refresh();
void connect();
