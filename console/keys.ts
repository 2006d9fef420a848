import { refresh, state } from './data.ts';
import { html, type View } from './html.ts';
import { undo } from './notice.ts';
import { clearQuery, closeOpen, readRoute } from './route.ts';

const keys = [
  ['/', 'filter'],
  ['j, k', 'next and previous row'],
  ['Enter', 'open the row'],
  ['u', 'undo the latest'],
  ['Escape', 'close what is open, empty the filter'],
  ['?', 'these keys'],
];

const areOn = () => localStorage.getItem('keys') !== 'off';

/** The list of keys, with a switch, since who speaks to a machine may press them unasked. Source: WCAG 2.2, 2.1.4 */
export function Keys(): View {
  const change = ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
    localStorage.setItem('keys', currentTarget.checked ? 'on' : 'off');
    refresh();
  };
  return html`<dialog aria-label="Keys">
    <dl>${keys.map(([key, what]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${what}</dd></div>`)}</dl>
    <label><input type="checkbox" checked=${areOn()} onChange=${change} /> These keys are on</label>
    <form method="dialog"><button>Close</button></form>
  </dialog>`;
}

/** What the keys do. */
export function handleKey(event: KeyboardEvent): void {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  const search = document.querySelector<HTMLInputElement>('input[type=search]');
  if (ctrlKey || metaKey || altKey || document.querySelector('dialog[open]') !== null) return;
  if (key === 'Escape') stepBack(search);
  const isTyping = (target as Element).matches('input:not([type=checkbox], [type=range]), select, textarea');
  if (isTyping || !areOn()) return;
  if (key === '/' && search !== null) {
    event.preventDefault();
    search.focus();
  }
  const undoable = state.notices.findLast((notice) => notice.undo !== undefined);
  if (key === 'u' && undoable !== undefined) void undo(undoable);
  if (key === '?') document.querySelector('dialog')?.showModal();
  if (key === 'j' || key === 'k') moveFocus(key === 'j' ? 1 : -1);
}

function stepBack(search: HTMLInputElement | null): void {
  const route = readRoute();
  if (document.activeElement === search && search?.value === '') search.blur();
  else if (document.activeElement === search || route.id === '') clearQuery();
  else closeOpen();
}

function moveFocus(step: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const current = document.activeElement?.matches('[data-row]')
    ? document.activeElement
    : document.querySelector('[aria-current=true]');
  const index = rows.indexOf(current as HTMLElement);
  rows[index === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, index + step))]?.focus();
}
