import { ask, Refusal, send } from './ask.ts';
import {
  dropRows,
  MOST_ROWS,
  type Row,
  refresh,
  session,
  showWaiting,
  state,
  takeState,
  type Violation,
} from './data.ts';
import { addViolation, takeSkipped, takeViolations } from './found.ts';
import { readEvents, type ServerSentEvent } from './read-events.ts';

/** How long nothing may come, in milliseconds: every 15 seconds there is a sign of life. */
const LONGEST_SILENCE = 25_000;

/** Listens to the mock, again and again. */
export async function connect(): Promise<void> {
  setInterval(measureRate, 1_000);
  for (;;) {
    try {
      if (await hasEnded()) {
        state.connection = 'ended';
        Object.assign(state, { notices: [], needsToken: false });
        refresh();
        return;
      }
      await (document.hidden ? glance() : listen());
    } catch (error) {
      state.refusal = error instanceof Refusal ? error.message : '';
      state.needsToken = error instanceof Refusal && error.status === 401;
    }
    // A browser has six connections for all tabs of an origin: a tab that nobody sees keeps none.
    if (document.hidden) {
      if (state.connection === 'open') state.connection = 'connecting';
      refresh();
      const minute = new Promise((resolve) => setTimeout(resolve, 60_000));
      await Promise.race([minute, nextEvent(document, 'visibilitychange')]);
      continue;
    }
    // It may have been ended from here.
    if (state.connection !== 'ended') state.connection = 'lost';
    refresh();
    await new Promise((resolve) => {
      retry = () => resolve(undefined);
      if (!state.needsToken) setTimeout(resolve, 500);
    });
  }
}

/** Whether the session is gone that this page was connected to: another request would make it anew. */
async function hasEnded(): Promise<boolean> {
  if (state.connection === 'ended') return true;
  if (session === undefined || state.connections === 0) return false;
  return !(await ask('GET', '/__admin/sessions')).includes(session);
}

/** Reads the state alone, for the title of a tab that nobody sees. */
async function glance(): Promise<void> {
  state.connection = 'lost';
  const leaving = new AbortController();
  const silence = setTimeout(() => leaving.abort(), LONGEST_SILENCE);
  const { body } = await send('GET', 'events', { signal: leaving.signal });
  if (body === null) return;
  const reading = readEvents(body, (events) => {
    for (const { event, data } of events) if (event === 'state') takeState(JSON.parse(data));
    leaving.abort();
  });
  await reading.catch(() => {});
  clearTimeout(silence);
  state.connection = 'connecting';
  state.connections ||= 1;
  refresh();
}

function nextEvent(target: EventTarget, name: string): Promise<unknown> {
  return new Promise((resolve) => target.addEventListener(name, resolve, { once: true }));
}

/** Tries to connect at once. */
export let retry = () => {};

/** Reads what the journal holds, then what comes. */
async function listen(): Promise<void> {
  const leaving = new AbortController();
  const leave = () => leaving.abort();
  document.addEventListener('visibilitychange', leave, { signal: leaving.signal });
  if (document.hidden) leave();
  const { body } = await send('GET', 'events', { signal: leaving.signal });
  if (body === null) return;
  let silence = setTimeout(leave, LONGEST_SILENCE);
  let told: ServerSentEvent[] | undefined = [];
  const reading = readEvents(body, (events) => {
    clearTimeout(silence);
    silence = setTimeout(leave, LONGEST_SILENCE);
    if (told !== undefined) told.push(...events);
    else takeAll(events);
    refresh();
  });
  try {
    await Promise.all([
      reading,
      read().then(() => {
        takeAll(told ?? []);
        told = undefined;
        showWaiting();
      }),
    ]);
  } finally {
    clearTimeout(silence);
    leave();
  }
}

/** Reads what the journal holds. */
async function read(): Promise<void> {
  const [rows, violations] = await Promise.all([readList('requests?limit=1000'), readList('violations')]);
  state.journalRefusal = typeof rows === 'string' ? rows : '';
  state.isWatched = typeof violations !== 'string';
  Object.assign(state, {
    rows: [],
    waiting: [],
    missed: 0,
    hiddenMissed: 0,
    lastId: 0,
    refusal: '',
    connection: 'open',
  });
  state.needsToken = false;
  state.connections += 1;
  period = undefined;
  isCounted = false;
  for (const row of typeof rows === 'string' ? [] : (rows as Row[])) addRow(row);
  takeViolations(typeof violations === 'string' ? [] : (violations as Violation[]));
}

/** @returns what it holds, or why there is none. */
async function readList(path: string): Promise<unknown[] | string> {
  try {
    return await ask('GET', path);
  } catch (error) {
    if (error instanceof Refusal && error.status === 400) return error.message;
    throw error;
  }
}

let period: number | undefined;

/** Once an id is known, the next ones tell how many came between. */
let isCounted = false;

function takeAll(events: readonly ServerSentEvent[]): void {
  let wasCounted = isCounted;
  for (const { event, data: text } of events) {
    const data = JSON.parse(text);
    if (event === 'state') {
      if (data.clearedTo > (state.server?.clearedTo ?? 0)) dropRows(data.clearedTo);
      takeState(data);
      if (data.period !== (period ?? data.period)) {
        Object.assign(state, { rows: [], waiting: [], missed: 0, hiddenMissed: 0 });
        isCounted = false;
        wasCounted = false;
      }
      period = data.period;
    }
    if (event === 'request') addRow(data);
    if (event === 'violation') addViolation(data);
    if (event === 'skipped' && data.event === 'violation') takeSkipped(data.count);
    if (event === 'skipped' && data.event === 'request' && !wasCounted) state.missed += data.count;
  }
}

function addRow(row: Row): void {
  if (row.id <= state.lastId) return;
  if (isCounted) state.missed += row.id - state.lastId - 1;
  isCounted = true;
  state.lastId = row.id;
  const rows = state.isHeld ? state.waiting : state.rows;
  rows.push(row);
  if (rows.length <= MOST_ROWS) return;
  rows.shift();
  if (state.isHeld) state.missed += 1;
}

let lastMeasured: number | undefined;

function measureRate(): void {
  const rate = Math.max(0, state.lastId - (lastMeasured ?? state.lastId));
  lastMeasured = state.connection === 'open' ? state.lastId : undefined;
  if (rate !== state.rate) refresh();
  state.rate = rate;
}
