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
  /** Where exactly, such as `response.body.2.id`; what is missing is missing there. */
  readonly at: string;
  readonly rule: string;
  readonly message: string;
  /** In events: how many more of its request are not told. */
  readonly others?: number;
}

/** How a body is not as it was sent; `decoded` of its content coding. */
export type BodyState = 'cut' | 'not kept' | 'decoded' | 'not text';

/** A request that came, with what was found in it. */
export interface Row {
  readonly id: number;
  readonly time: string;
  readonly operation?: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly bodyState?: BodyState;
  readonly status?: number;
  readonly error?: string;
  readonly ms: number;
  /** What was answered; with a status where a proxy refused to hand it on. */
  readonly answer?: {
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly bodyState?: BodyState;
    readonly status?: number;
  };
  readonly violations?: readonly Violation[];
  /** How many violations there are beside those. */
  readonly others?: number;
  /** Whether there may be, or have been, more of them than are known. */
  readonly isUnsure?: boolean;
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
  /** Another one is another store, which counts from the beginning. */
  readonly startedAt: string;
  readonly animals: number;
  readonly version: number;
  /** How many milliseconds a running clock is ahead of the real one. */
  readonly clockOffset: number;
  /** Another number after each clearing of requests. */
  readonly period: number;
  /** The id of the latest request that was cleared. */
  readonly clearedTo: number;
  /** Whether the key is accepted that needs no secret. */
  readonly takesTestKey: boolean;
  readonly faults: readonly Fault[];
  readonly verifications: readonly Verification[];
  /** The base URL of the deployment that a proxy hands requests on to. */
  readonly upstream?: string;
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
  readonly undo?: () => Promise<unknown>;
  /** What is still to be done when it goes and nothing was undone, also because the page is left. */
  readonly end?: () => unknown;
}

/** The most requests that are kept, and shown. */
export const MOST_ROWS = 1_000;

/** The path of the mock or session that this page drives, such as `/` or `/sessions/w1/`. */
export const base = location.pathname;

/** The name of the session, if this is one. */
export const session = /^\/sessions\/([^/]+)\/$/.exec(base)?.[1];

/** Whether this is the console of a proxy before a deployment: it has no store to drive. */
export const isProxy = base === '/__console/';

/** What serves this page. */
export const server = isProxy ? 'proxy' : 'mock';

/** Where the URLs of requests begin. */
export const root = location.origin + (isProxy ? '/' : base);

/** The base URL that an app is to use. */
export let baseUrl = `${root}v1`;

/** What stands in the place of a key that nobody has typed. */
export const noKey = '<API_KEY>';

/** The key that is there until another is typed. */
export let usualKey = isProxy ? noKey : 'test-key';

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
  /** How many of those were not told. */
  hiddenMissed: 0,
  /** Requests in the last second. */
  rate: 0,
  /** Why there is no journal. */
  journalRefusal: '',
  /** Whether a checked proxy looks for violations. */
  isWatched: false,
  /** The latest comes last. */
  notices: [] as readonly Notice[],
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

/** What the mock has forgotten goes, up to this id. */
export function dropRows(to: number): void {
  for (const list of ['rows', 'waiting'] as const) state[list] = state[list].filter(({ id }) => id > to);
  // What has come since it was hidden is still missed.
  state.missed = state.hiddenTo > 0 ? state.missed - state.hiddenMissed : 0;
  state.hiddenMissed = 0;
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

/** Takes in what the server says of itself. */
export function takeState(told: ServerState & { readonly basePath?: string }): void {
  if (told.startedAt !== state.server?.startedAt) Object.assign(state, { hiddenTo: 0, hiddenMissed: 0 });
  state.server = isProxy ? { ...nothingToDrive, ...told } : told;
  if (!isProxy) usualKey = told.takesTestKey ? 'test-key' : noKey;
  for (const look of [...waiting]) look(state.server);
  if (told.basePath !== undefined) baseUrl = location.origin + told.basePath;
}

const waiting = new Set<(server: ServerState) => void>();

/** Waits until the server has said that something holds, for a second at most: it may say so before it has answered. */
export async function waitForState(holds: (server: ServerState) => boolean): Promise<void> {
  if (state.server !== undefined && holds(state.server)) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = (server: ServerState) => holds(server) && resolve();
  waiting.add(look);
  const timer = setTimeout(resolve, 1_000);
  await promise;
  clearTimeout(timer);
  waiting.delete(look);
}

/** What a proxy has not. */
const nothingToDrive = {
  ...{ animals: 0, version: 0, clockOffset: 0, takesTestKey: false, faults: [] },
  settings: { now: '', clock: 'running', apiKeys: [], limitPolicy: '', order: '' },
} as const;

/** Whether the time of the mock is not ours. */
export function isClockMoved({ settings, clockOffset }: ServerState): boolean {
  return settings.clock === 'still' || clockOffset !== 0;
}

/** What the clock of the mock shows at this moment. */
export function readClock({ settings, clockOffset }: ServerState): string {
  return settings.clock === 'still' ? settings.now : new Date(Date.now() + clockOffset).toISOString();
}
