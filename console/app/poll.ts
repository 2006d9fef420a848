import { batch, type Signal } from '@preact/signals';
import { ask, RefusedError, send } from './ask.ts';
import type { Row, ServerState, Violation } from './store.ts';
import * as store from './store.ts';

/** Times between polls, between polls of a hidden tab, and between tries to connect, in ms. */
const [PAUSE, HIDDEN_PAUSE, RETRY_PAUSE] = [100, 60_000, 500];

/** Longest time without a sign of life, in ms. The server sends one every 15 s. */
const LONGEST_SILENCE = 25_000;

export let retry = () => {};

/** A list to which the server adds items. */
interface Feed<T extends Row | Violation> {
  readonly path: string;
  readonly list: Signal<readonly T[]>;
  readonly most: number;
  /** The server's message if it keeps no such list. */
  readonly refusal: Signal<string>;
  /** Id of the latest item that was read. */
  seen: number;
}

const requests: Feed<Row> = {
  path: `requests?limit=${store.MOST_ROWS}&since=`,
  list: store.rows,
  most: store.MOST_ROWS,
  refusal: store.journalRefusal,
  seen: -1,
};

const violations: Feed<Violation> = {
  path: 'violations?since=',
  list: store.found,
  most: Infinity,
  refusal: store.violationsRefusal,
  seen: -1,
};

/** Keeps the page up to date until the session ends. */
export async function connect(): Promise<void> {
  while (store.connection.value !== 'ended') {
    try {
      await (document.hidden ? poll() : listen());
      store.refusal.value = '';
      if (store.connection.value === 'open') store.connection.value = 'lost';
    } catch (error) {
      const isRefused = error instanceof RefusedError;
      store.refusal.value = isRefused ? error.message : '';
      if ((error as Error).name === 'AbortError') store.connection.value = 'connecting';
      else store.connection.value = isRefused && error.status === 401 ? 'locked' : 'lost';
    }
    await rest();
  }
}

/** Waits for the next try to connect. */
function rest(): Promise<void> {
  return new Promise((resolve) => {
    retry = resolve;
    document.addEventListener('visibilitychange', () => resolve(), { once: true });
    if (store.connection.value !== 'locked')
      setTimeout(resolve, document.hidden ? HIDDEN_PAUSE : RETRY_PAUSE);
  });
}

/** Polls whenever the server reports a change, until the stream ends or the tab is hidden. */
async function listen(): Promise<void> {
  await poll();
  if (store.connection.value === 'ended') return;
  const leaving = new AbortController();
  const leave = () => leaving.abort();
  // A browser has six connections for all tabs of an origin: a hidden tab keeps none.
  document.addEventListener('visibilitychange', leave, { once: true, signal: leaving.signal });
  try {
    const { body } = await send('GET', 'events', { signal: leaving.signal });
    store.connection.value = 'open';
    const reader = (body as ReadableStream).getReader();
    let silence: ReturnType<typeof setTimeout>;
    do {
      const start = performance.now();
      await poll();
      // Many requests take long to read: they are read less often.
      const pause = PAUSE + 4 * (performance.now() - start);
      await new Promise((resolve) => setTimeout(resolve, pause));
      silence = setTimeout(leave, LONGEST_SILENCE);
    } while (!(await reader.read().finally(() => clearTimeout(silence))).done);
  } finally {
    leave();
  }
}

let last: Promise<void> = Promise.resolve();

/** Reads the state of the server and its new requests and violations. @throws RefusedError */
export function poll(): Promise<void> {
  last = last.catch(() => {}).then(readNews);
  return last;
}

async function readNews(): Promise<void> {
  const { value: server } = store.server;
  // Other requests would create an ended session again.
  const sessions = server && store.session && (await ask('GET', '/__admin/sessions'));
  if (sessions?.includes(store.session) === false) {
    store.connection.value = 'ended';
    store.server.value = undefined;
    store.notices.value = [];
  }
  if (store.connection.value === 'ended') return;
  const state: ServerState = await ask('GET', 'state');
  if (state.startedAt !== server?.startedAt) startAgain();
  const added = await Promise.all([
    readNew(requests, state.lastRequest),
    readNew(violations, state.lastViolation),
  ]);
  batch(() => {
    store.server.value = state;
    const isFirst = store.rows.value.length === 0 || store.clearedTo.value >= store.firstListed.value;
    take(requests, added[0], state.lastRequest, state.oldestRequest);
    take(violations, added[1], state.lastViolation, state.oldestViolation);
    if (isFirst) store.firstListed.value = store.rows.value[0]?.id ?? 0;
  });
}

function startAgain(): void {
  batch(() => {
    for (const feed of [requests, violations]) {
      feed.seen = -1;
      feed.list.value = [];
    }
    store.clearedTo.value = 0;
    // Another mock has other requests and sessions.
    store.notices.value = [];
  });
}

async function readNew<T extends Row | Violation>(feed: Feed<T>, last: number): Promise<readonly T[]> {
  if (last <= feed.seen) return [];
  try {
    const added: readonly T[] = await ask('GET', feed.path + Math.max(0, feed.seen));
    feed.refusal.value = '';
    return added;
  } catch (error) {
    if (!(error instanceof RefusedError) || error.status !== 400) throw error;
    feed.refusal.value = error.message;
    return [];
  }
}

/** Adds new items, and removes the ones that the server no longer keeps. */
function take<T extends Row | Violation>(feed: Feed<T>, added: readonly T[], last: number, oldest: number) {
  const { list, most } = feed;
  feed.seen = Math.max(feed.seen, added.at(-1)?.id ?? last);
  const kept = list.value.filter(({ id }) => id >= oldest);
  if (added.length > 0 || kept.length < list.value.length) list.value = [...kept, ...added].slice(-most);
}
