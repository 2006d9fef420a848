import { html, type View } from '../parts/parts.ts';
import { undo } from './notices.ts';
import { route, setQuery, toClosed } from './route.ts';

const keys = [
  ['/', 'filter'],
  ['j, k', 'next and previous row'],
  ['Enter', 'open the row'],
  ['u', 'undo the latest change'],
  ['Escape', 'close the open row, then empty the filter'],
  ['?', 'these keys'],
];

export function Keys(): View {
  return html`<dialog aria-label="Keys">
    <dl>${keys.map(([key, effect]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${effect}</dd></div>`)}</dl>
    <form method="dialog"><button>Close</button></form>
  </dialog>`;
}

export function showKeys(): void {
  document.querySelector('dialog')?.showModal();
}

export function handleKey(event: KeyboardEvent): void {
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
