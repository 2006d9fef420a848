import { base, refresh } from './data.ts';

/** What all stores of an origin have in common. */
const common = new Set(['token', 'key']);

const storageOf = (name: string) => (common.has(name) ? 'console' : `console ${base}`);

const readStorage = (storage: string): [string, string][] =>
  Object.entries(JSON.parse(sessionStorage.getItem(storage) ?? '{}'));

const memory = new Map([...readStorage('console'), ...readStorage(`console ${base}`)]);

/** What was typed in a field of this name, in this tab. */
export function recall(name: string, otherwise = ''): string {
  return memory.get(name) ?? otherwise;
}

/** Keeps what was typed, also when the page is loaded again; undefined forgets it. */
export function remember(name: string, value: string | undefined): void {
  if (value === undefined) memory.delete(name);
  else memory.set(name, value);
  const storage = storageOf(name);
  const kept = [...memory].filter(([one]) => storageOf(one) === storage);
  try {
    sessionStorage.setItem(storage, JSON.stringify(Object.fromEntries(kept)));
  } catch {
    // It is too long to be kept over a reload.
  }
  refresh();
}

/** Takes the token out of the address that the proxy has printed; what stands behind it is a view. @returns whether there was one. */
export function takeToken(): boolean {
  const [, token, view] = /^#token=([^/]+)(\/.*)?$/.exec(location.hash) ?? [];
  if (token === undefined) return false;
  history.replaceState(null, '', view === undefined ? base : `#${view}`);
  remember('token', token);
  return true;
}
