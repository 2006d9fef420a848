import { batch, type Signal } from '@preact/signals';
import { ask, RefusedError, send } from './ask.ts';
import { isOfAll, type Route, route } from './route.ts';
import type { Row, ServerState, Violation } from './store.ts';
import * as store from './store.ts';

/** Least time between two polls, in milliseconds. */
const PAUSE = 100;

/** Pause after a poll, as a multiple of the time that the poll took: many requests are read less often. */
const PAUSE_FACTOR = 4;

/** Time between two tries to connect, in milliseconds. */
const RETRY_PAUSE = 500;

/** Number of requests that the page shows. */
const MOST_ROWS = 1_000;

const requestsPath = `requests?limit=${MOST_ROWS}&since=`;
const readRequests = createFeed<Row>(requestsPath, store.rows, store.journalRefusal, MOST_ROWS);
const readViolations = createFeed<Violation>('violations?since=', store.found, store.violationsRefusal);

/** Functions that read what a view shows in addition to the lists. */
export const readers: Partial<Record<Route['view'], () => Promise<unknown>>> = {};

/** Keeps the page up to date until the session ends or the server refuses the token. */
export async function connect(): Promise<void> {
  if (store.connection.value === 'locked') store.connection.value = 'connecting';
  try {
    // A browser has six connections for all tabs of an origin: a hidden tab keeps none.
    if (document.hidden)
      await new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true }));
    await listen();
    if (store.connection.value === 'open') store.connection.value = 'lost';
  } catch (error) {
    const isRefused = error instanceof RefusedError;
    store.refusal.value = isRefused ? error.message : '';
    if ((error as Error).name === 'AbortError') store.connection.value = 'connecting';
    else store.connection.value = isRefused && error.status === 401 ? 'locked' : 'lost';
  }
  if (!/ended|locked/.test(store.connection.value)) setTimeout(connect, RETRY_PAUSE);
}

/** Polls whenever the server reports a change, until the stream ends or the tab is hidden. */
async function listen(): Promise<void> {
  await poll();
  if (store.connection.value === 'ended') return;
  const leaving = new AbortController();
  document.addEventListener('visibilitychange', () => leaving.abort(), { once: true });
  try {
    const { body } = await send('GET', 'events', { signal: leaving.signal });
    store.connection.value = 'open';
    store.refusal.value = '';
    const reader = (body as ReadableStream).getReader();
    do {
      const start = performance.now();
      await poll();
      const pause = PAUSE + PAUSE_FACTOR * (performance.now() - start);
      await new Promise((resolve) => setTimeout(resolve, pause));
    } while (!(await reader.read()).done);
  } finally {
    leaving.abort();
  }
}

let last: Promise<void> = Promise.resolve();

/** Reads the state of the server, its new requests and violations, and what the view shows. @throws RefusedError */
export function poll(): Promise<void> {
  last = last.catch(() => {}).then(readNews);
  return last;
}

/** The view and the version of what was read last for it. */
let viewRead = '';

async function readNews(): Promise<void> {
  const before = store.server.value;
  // Other requests would create an ended session again.
  const sessions = before && store.session && (await ask('GET', '/__admin/sessions'));
  if (sessions?.includes(store.session) === false) {
    store.connection.value = 'ended';
    store.server.value = undefined;
    store.notices.value = [];
  }
  if (store.connection.value === 'ended') return;
  const state: ServerState = await ask('GET', 'state');
  const isOther = state.startedAt !== before?.startedAt;
  const addAll = await Promise.all([
    readRequests(isOther, state.lastRequest, state.oldestRequest),
    readViolations(isOther, state.lastViolation, state.oldestViolation),
  ]);
  batch(() => {
    store.server.value = state;
    for (const add of addAll) add();
    // Another mock has other requests and sessions.
    if (isOther) {
      store.clearedTo.value = 0;
      store.notices.value = [];
    }
  });
  if (isOfAll.value) store.allRows.value = await ask('GET', '/__admin/all-requests');
  const { view } = route.value;
  const shown = `${view} ${state.startedAt} ${state.version}`;
  if (shown !== viewRead) await readers[view]?.();
  viewRead = shown;
}

type Item = Row | Violation;
type List<T> = Signal<readonly T[]>;

/** Returns whether an item will change: a request that waits for its response. */
const isUnfinished = (item: Item): boolean => 'headers' in item && item.ms === undefined;

/**
 * Creates a function that reads the new items of a list, and again those from the oldest unfinished one on. It returns a
 * function that adds them, and removes the items that the server no longer keeps.
 * @param refusal gets the message of a server that keeps no such list.
 */
function createFeed<T extends Item>(path: string, list: List<T>, refusal: Signal<string>, most = Infinity) {
  let seen = -1;
  return async (isOther: boolean, last: number, oldest: number) => {
    if (isOther) seen = -1;
    const unfinished = isOther ? undefined : list.value.find(isUnfinished);
    const since = unfinished === undefined ? Math.max(0, seen) : unfinished.id - 1;
    let read: readonly T[] = [];
    try {
      if (last > seen || unfinished !== undefined) {
        read = await ask('GET', path + since);
        refusal.value = '';
      }
    } catch (error) {
      if (!(error instanceof RefusedError) || error.status !== 400) throw error;
      refusal.value = error.message;
    }
    return () => {
      seen = Math.max(seen, read.at(-1)?.id ?? last);
      const kept = isOther ? [] : list.value.filter((item) => item.id >= oldest && !isUnfinished(item));
      const keptIds = new Set(kept.map(({ id }) => id));
      const added = read.filter(({ id }) => !keptIds.has(id));
      if (added.length === 0 && kept.length === list.value.length) return;
      list.value = [...kept, ...added].sort((one, other) => one.id - other.id).slice(-most);
    };
  };
}
