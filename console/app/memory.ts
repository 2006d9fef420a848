import { signal } from '@preact/signals';
import { base } from './store.ts';

const typed = signal<Readonly<Record<string, string>>>({ ...sessionStorage });

/** The token and the key are the same for all sessions of an origin. */
const toKey = (name: string) => `${name === 'token' || name === 'key' ? 'console' : base} ${name}`;

/** Returns the text typed into a field in this tab. */
export function recall(name: string, fallback = ''): string {
  return typed.value[toKey(name)] ?? fallback;
}

/** Keeps the text of a field, also when the page reloads; undefined forgets it. */
export function remember(name: string, value: string | undefined): void {
  if (value === undefined) sessionStorage.removeItem(toKey(name));
  else sessionStorage.setItem(toKey(name), value);
  typed.value = { ...sessionStorage };
}
