import { batch, type Signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { ask, RefusedError } from './ask.ts';
import type { Row, ServerState, Violation } from './store.ts';
import * as store from './store.ts';

/** Time between two polls, in milliseconds. */
const PAUSE = 300;

/** Number of requests that the page shows. */
const MOST_ROWS = 1_000;

/** Keeps the page up to date until the session ends or the server refuses the token. A hidden tab asks for nothing. */
export async function connect(): Promise<void> {
  try {
    if (!document.hidden) {
      await poll();
      store.refusal.value = '';
      if (store.connection.value !== 'ended') store.connection.value = 'open';
    }
  } catch (error) {
    const isRefused = error instanceof RefusedError;
    store.refusal.value = isRefused ? error.message : '';
    store.connection.value = isRefused && error.status === 401 ? 'locked' : 'lost';
  }
  if (!/ended|locked/.test(store.connection.value)) setTimeout(connect, PAUSE);
}

let last: Promise<void> = Promise.resolve();

/** Reads the state of the server, and its new requests and violations. @throws RefusedError */
export function poll(): Promise<void> {
  last = last.catch(() => {}).then(readNews);
  return last;
}

async function readNews(): Promise<void> {
  const before = store.server.value;
  // Other requests would create an ended session again.
  const sessions = before && store.session && (await ask('GET', '/__admin/sessions'));
  if (sessions?.includes(store.session) === false) {
    store.connection.value = 'ended';
    store.server.value = undefined;
  }
  if (store.connection.value === 'ended') return;
  const state: ServerState = await ask('GET', 'state');
  // It names the latest request, the number of those that wait, and a version of everything else.
  if (JSON.stringify(state) === JSON.stringify(before)) return;
  // Another mock has other requests.
  const isOther = state.startedAt !== before?.startedAt;
  if (isOther) store.journalRefusal.value = '';
  const [rows, found] = await Promise.all([
    readNew<Row>(
      `requests?limit=${MOST_ROWS}`,
      store.rows,
      isOther,
      state.lastRequest,
      state.oldestRequest,
    ).catch(readRefusal),
    // A mock without a checked proxy has none.
    store.isProxy || state.checkedUrl !== undefined
      ? readNew<Violation>('violations?', store.found, isOther, state.lastViolation, state.oldestViolation)
      : [],
  ]);
  batch(() => {
    store.server.value = state;
    store.rows.value = rows.slice(-MOST_ROWS);
    store.found.value = found;
  });
}

/** A mock that keeps no requests says why. */
function readRefusal(error: unknown): [] {
  if (!(error instanceof RefusedError) || error.status !== 400) throw error;
  store.journalRefusal.value = error.message;
  return [];
}

const isWaiting = (item: Row | Violation): boolean => 'headers' in item && item.ms === undefined;

/** Returns a list with its new items, and again those from the oldest request on that waited for its response. */
async function readNew<T extends Row | Violation>(
  path: string,
  list: Signal<readonly T[]>,
  isOther: boolean,
  last: number,
  oldest: number,
) {
  const kept = isOther ? [] : list.value.filter(({ id }) => id >= oldest);
  const firstWaiting = kept.findIndex(isWaiting);
  const ended = firstWaiting === -1 ? kept : kept.slice(0, firstWaiting);
  const since = Math.max(oldest - 1, ended.at(-1)?.id ?? 0);
  if (!isOther && last <= since) return kept;
  const read: readonly T[] = await ask('GET', `${path}&since=${since}`);
  return [...ended, ...read];
}

/** Reads a path of the control API, and again whenever the state of the server has changed. */
export function useRead<T>(path: string, parse = JSON.parse): T | undefined {
  const [value, setValue] = useState<T>();
  const { startedAt, version } = store.server.value ?? {};
  useEffect(() => {
    let isLatest = true;
    // The poll reports a lost connection.
    void ask('GET', path, undefined, parse).then(
      (read) => isLatest && setValue(read),
      () => {},
    );
    return () => {
      isLatest = false;
    };
  }, [startedAt, version]);
  return value;
}
