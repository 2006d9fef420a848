import { computed, signal } from '@preact/signals';
import { isProxy } from './store.ts';

const proxy = { requests: 'Requests', coverage: 'Coverage' };
const mock = { requests: 'Requests', animals: 'Animals', faults: 'Faults', state: 'State' };

export const views: Partial<typeof proxy & typeof mock> = isProxy ? proxy : mock;

interface Route {
  readonly view: keyof typeof views;
  /** Item that is open in the view, or an empty string. */
  readonly id: string;
  readonly query: URLSearchParams;
}

const hash = signal(location.hash);

export const route = computed((): Route => {
  const [path = '', query = ''] = hash.value.slice(1).split('?');
  const [, view = '', id = ''] = path.split('/');
  const known = Object.hasOwn(views, view) ? (view as Route['view']) : 'requests';
  return { view: known, id, query: new URLSearchParams(query) };
});

/** Follows the address. If the open item was closed, focuses its row; in another view, the next Tab is in the view. */
export function readHash(): void {
  const { view, id } = route.value;
  hash.value = location.hash;
  if (route.value.view !== view) focusRow();
  else if (id !== '' && route.value.id === '') focusRow(id);
}

addEventListener('hashchange', readHash);

export function toHash({ view, id, query }: Route): string {
  const kept = new URLSearchParams([...query].filter(([, value]) => value !== ''));
  return `#/${view}${id && `/${id}`}${kept.size > 0 ? `?${kept}` : ''}`;
}

export const toClosed = (): string => toHash({ ...route.value, id: '' });

/** Focuses the row of an item after the next rendering, or the view if there is no such row. */
export function focusRow(id = ''): void {
  setTimeout(() => {
    const row = document.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`);
    (row ?? document.querySelector('main'))?.focus();
  });
}

/** Replaces the query without an entry in the history. */
export function setQuery(query: Readonly<Record<string, string>>): void {
  history.replaceState(null, '', toHash({ ...route.value, query: new URLSearchParams(query) }));
  readHash();
}
