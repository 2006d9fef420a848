import { type ExactJson, parseExactJson, printExactJson } from '../common/exact-json.ts';

/** What the checked proxy found in an exchange. */
export interface Violation {
  readonly id: number;
  /** The id of the request. */
  readonly request?: number;
  readonly operation?: string;
  readonly method: string;
  /** Of the answer. */
  readonly status?: number;
  readonly severity: 'error' | 'warning';
  readonly place: string;
  readonly rule: string;
  readonly message: string;
}

/** A request that came, with what was found in it. */
export interface Row {
  readonly id: number;
  readonly time: string;
  readonly operation?: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly status?: number;
  readonly error?: string;
  readonly ms: number;
  /** What the mock answered with. */
  readonly answer?: { readonly headers: Readonly<Record<string, string>>; readonly body?: string };
  violations?: readonly Violation[];
}

/** A fault that is on; `delay` is in milliseconds. */
export interface Fault {
  readonly id?: number;
  readonly used?: number;
  readonly operation?: string;
  readonly method?: string;
  readonly path?: string;
  readonly status?: number;
  readonly delay?: number | string | { readonly median: number };
  readonly drop?: string;
  readonly body?: string;
  readonly times?: number;
  readonly probability?: number;
}

/** A run of the contract suite. */
export interface Verification {
  readonly id: number;
  readonly baseUrl: string;
  readonly allowWrites: boolean;
  readonly startedAt: string;
  readonly conclusion?: string;
  readonly counts: Readonly<Record<'passed' | 'failed' | 'skipped' | 'error', number>>;
  readonly requests: number;
}

/** What the mock says of itself. */
export interface ServerState {
  readonly animals: number;
  readonly version: number;
  /** How many milliseconds a running clock is ahead of the real one. */
  readonly clockOffset: number;
  /** Another number after each clearing of requests. */
  readonly period: number;
  /** The id of the latest request that was cleared. */
  readonly clearedTo: number;
  readonly faults: readonly Fault[];
  readonly verifications: readonly Verification[];
  readonly settings: {
    readonly now: string;
    readonly clock: 'still' | 'running';
    readonly apiKeys: readonly string[];
    readonly limitPolicy: string;
    readonly order: string;
  };
}

/** A short message; what can be undone can be so for ten seconds. */
export interface Notice {
  readonly text: string;
  readonly isFailure?: boolean;
  readonly undo?: () => unknown;
  /** Done when it goes and nothing was undone, also because the page is left. */
  readonly end?: () => unknown;
}

/** The most requests that are kept, and shown. */
export const MOST_ROWS = 1_000;

/** How long a notice stays, in milliseconds. */
const NOTICE_STAYS = 10_000;

/** The path of the mock or session that this page drives, such as `/` or `/sessions/w1/`. */
export const base = location.pathname;

/** The name of the session, if this is one. */
export const session = /^\/sessions\/([^/]+)\/$/.exec(base)?.[1];

/** The base URL that an app is to use. */
export const baseUrl = `${location.origin}${base}v1`;

/** All that the page shows. It is changed here and there, and `refresh` shows it. */
export const state = {
  server: undefined as ServerState | undefined,
  connection: 'connecting' as 'connecting' | 'open' | 'lost' | 'ended',
  /** How often a connection was made. */
  connections: 0,
  /** Why the control API gives nothing. */
  refusal: '',
  needsToken: false,
  /** The latest comes last. */
  rows: [] as Row[],
  /** What came while the list was being read. */
  waiting: [] as Row[],
  isHeld: false,
  /** How many came too fast to be told. */
  missed: 0,
  lastId: 0,
  /** The id of the latest violation. */
  lastViolation: 0,
  /** The requests up to this one are about to be forgotten. */
  hiddenTo: 0,
  /** Requests in the last second. */
  rate: 0,
  /** Why there is no journal. */
  journalRefusal: '',
  /** Whether a checked proxy looks for violations. */
  isWatched: false,
  notice: undefined as Notice | undefined,
};

let showAgain = () => {};
let isAsked = false;
const afterwards: (() => void)[] = [];

/** @param show shows the state; it is called once a frame at most. */
export function onRefresh(show: () => void): void {
  showAgain = () => {
    isAsked = false;
    show();
    for (const act of afterwards.splice(0)) act();
  };
}

// A frame that was asked for may not come while nobody sees the page.
document.addEventListener('visibilitychange', () => showAgain());

/** Shows the state again, soon. @param act is done once it is shown. */
export function refresh(act?: () => void): void {
  if (act !== undefined) afterwards.push(act);
  if (isAsked) return;
  isAsked = true;
  // A tab that nobody sees has a title, and no frames.
  if (document.hidden) setTimeout(showAgain);
  else requestAnimationFrame(showAgain);
}

/** An answer of the control API that is not what was asked for. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Asks the control API. @param path beneath it, or from the origin on. @throws Refusal */
export async function send(method: string, path: string, options: RequestInit = {}): Promise<Response> {
  const token = recall('token');
  // Source: Fetch standard, header values
  if (/[^\t -~\x80-\xff]/.test(token)) {
    throw new Refusal(
      401,
      'The admin token has a character that a header cannot hold: Latin letters, digits and signs alone.',
    );
  }
  const response = await fetch(path.startsWith('/') ? path : `__admin/${path}`, {
    method,
    // It may be the last thing that the page does.
    keepalive: method === 'DELETE',
    headers: {
      ...(token === '' ? {} : { Authorization: `Bearer ${token}` }),
      // Without it a page may be of another origin.
      ...(method === 'GET' ? {} : { 'Content-Type': 'application/json' }),
    },
    ...options,
  });
  if (response.ok) return response;
  const text = await response.text();
  throw new Refusal(response.status, readMessage(text) ?? `${response.status} ${text.slice(0, 200)}`);
}

/** The message of an Error that was answered. */
export function readMessage(text: string): string | undefined {
  try {
    const { message } = JSON.parse(text);
    return typeof message === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}

/** Asks the control API, integers exact both ways. @throws Refusal with the message of the Error that it answers. */
export async function askExactly(method: string, path: string, body?: ExactJson): Promise<ExactJson> {
  const text = await (
    await send(method, path, body === undefined ? {} : { body: printExactJson(body) })
  ).text();
  return text === '' ? null : parseExactJson(text);
}

/** Asks the control API. @throws Refusal with the message of the Error that it answers. */
// biome-ignore lint/suspicious/noExplicitAny: each operation answers something else.
export async function ask(method: string, path: string, body?: unknown): Promise<any> {
  const text = await (
    await send(method, path, body === undefined ? {} : { body: JSON.stringify(body) })
  ).text();
  return text === '' ? undefined : JSON.parse(text);
}

let noticeTimer = 0;

/** Shows a notice in the place of the one before, which can then not be undone any more. */
export function tell(notice: Notice | undefined): void {
  const before = state.notice;
  clearTimeout(noticeTimer);
  state.notice = notice;
  before?.end?.();
  if (notice !== undefined) noticeTimer = setTimeout(() => tell(undefined), NOTICE_STAYS);
  refresh();
}

/** Undoes what the notice tells of, which goes. */
export function undo(): Promise<unknown> {
  const { notice } = state;
  state.notice = undefined;
  tell(undefined);
  return Promise.resolve(notice?.undo?.());
}

// Who is gone cannot undo.
document.addEventListener('visibilitychange', () => document.hidden && state.notice?.end && tell(undefined));
addEventListener('pagehide', () => tell(undefined));

/** Does something, and tells why it failed if it did. @returns whether it was done. */
export async function attempt(act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    tell({ text: describe(error), isFailure: true });
    return false;
  }
}

/** What a failure says; a browser says of a connection that is not there nothing that helps. */
export function describe(error: unknown): string {
  return error instanceof TypeError ? 'The mock does not answer. Is it running?' : (error as Error).message;
}

/** Hides the requests, and lets the mock forget them and their violations when that cannot be undone any more. */
export function clearRows(): void {
  const { lastId, lastViolation, isWatched, connections } = state;
  const show = () => {
    if (state.hiddenTo === lastId) state.hiddenTo = 0;
  };
  const forget = () => {
    // A mock that was started again counts from the beginning.
    if (connections !== state.connections) return;
    if (isWatched) void attempt(() => ask('DELETE', `violations?until=${lastViolation}`));
    void attempt(async () => {
      await ask('DELETE', `requests?until=${lastId}`);
      dropRows(lastId);
    }).then(show);
  };
  tell({ text: 'Cleared. In ten seconds the mock forgets these requests too.', undo: show, end: forget });
  state.hiddenTo = lastId;
}

/** What the mock has forgotten goes, up to this id. */
export function dropRows(to: number): void {
  for (const list of ['rows', 'waiting'] as const) state[list] = state[list].filter(({ id }) => id > to);
  state.missed = 0;
}

/** Says whether the list is being read: then what is new waits. */
export function hold(isHeld: boolean): void {
  state.isHeld = isHeld;
  if (!isHeld) showWaiting();
  refresh();
}

/** Shows what has waited. */
export function showWaiting(): void {
  state.rows = [...state.rows, ...state.waiting].slice(-MOST_ROWS);
  state.waiting = [];
  refresh();
}

/** Whether the time of the mock is not ours. */
export function isClockMoved({ settings, clockOffset }: ServerState): boolean {
  return settings.clock === 'still' || clockOffset !== 0;
}

/** What the clock of the mock shows at this moment. */
export function readClock({ settings, clockOffset }: ServerState): string {
  return settings.clock === 'still' ? settings.now : new Date(Date.now() + clockOffset).toISOString();
}

const memory = new Map<string, string>(Object.entries(JSON.parse(sessionStorage.getItem('console') ?? '{}')));

/** What was typed in a field of this name, in this tab. */
export function recall(name: string, otherwise = ''): string {
  return memory.get(name) ?? otherwise;
}

/** Keeps what was typed, also when the page is loaded again; undefined forgets it. */
export function remember(name: string, value: string | undefined): void {
  if (value === undefined) memory.delete(name);
  else memory.set(name, value);
  sessionStorage.setItem('console', JSON.stringify(Object.fromEntries(memory)));
  refresh();
}
