import { isProxy, refresh, state } from './data.ts';

const titles = {
  requests: 'Requests',
  animals: 'Animals',
  faults: 'Faults',
  state: 'State',
  verify: 'Verify',
  'set-up': 'Set up',
};

/** The views that there are, each with what it is called. */
export const views: Partial<typeof titles> = isProxy
  ? { requests: titles.requests, verify: titles.verify, 'set-up': titles['set-up'] }
  : titles;

/** What the address of the page says, such as `#/requests/12?status=4xx`. */
export interface Route {
  readonly view: keyof typeof titles;
  /** What of the view is open. */
  readonly id: string;
  readonly query: URLSearchParams;
}

/** Reads the address. Where it says nothing: the requests when there are any, else how to send one. */
export function readRoute(): Route {
  const [path = '', query = ''] = location.hash.slice(1).split('?');
  const [, view = '', id = ''] = path.split('/');
  const otherwise = state.lastId > 0 ? 'requests' : 'set-up';
  return {
    view: Object.hasOwn(views, view) ? (view as Route['view']) : otherwise,
    id,
    query: new URLSearchParams(query),
  };
}

/** The address of a view; the query without what is empty. */
export function toHash({ view, id, query }: Route): string {
  const kept = new URLSearchParams([...query].filter(([, value]) => value !== ''));
  return `#/${view}${id && `/${id}`}${kept.size > 0 ? `?${kept}` : ''}`;
}

/** Closes what is open; then its row has the focus. */
export function closeOpen(): void {
  const { view, id, query } = readRoute();
  location.hash = toHash({ view, id: '', query });
  focusRow(id);
}

/** Gives the focus to the row of this id once it is shown, or to the view when there is none. */
export function focusRow(id = ''): void {
  refresh(() => {
    const row = document.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`);
    (row ?? document.querySelector('main'))?.focus();
  });
}

/** Leaves the whole query out, without a step to go back by. */
export function clearQuery(): void {
  const { view, id, query } = readRoute();
  if (query.size === 0) return;
  history.replaceState(null, '', toHash({ view, id, query: new URLSearchParams() }));
  refresh();
}

/** Changes a part of the query, without a step to go back by. */
export function setQuery(name: string, value: string): void {
  const { view, id, query } = readRoute();
  query.set(name, value);
  history.replaceState(null, '', toHash({ view, id, query }));
  refresh();
}
