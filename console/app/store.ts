import { computed, signal } from '@preact/signals';
import { parseSessionPath } from '../../common/http/session-names.ts';
import type { JournalEntry } from '../../common/journal/journal-entry.ts';
import type { JournalViolation } from '../../common/journal/violation.ts';
import type { Fault } from '../../mock/faults/faults.ts';
import type { Settings } from '../../mock/session/setting-changes.ts';

/** A value of the server as JSON. */
type Json<T> = T extends Date ? string : T extends object ? { readonly [Name in keyof T]: Json<T[Name]> } : T;

export type Row = Json<JournalEntry>;
export type Violation = Json<JournalViolation>;

/** Reply to `GET /__admin/state`. A proxy has no animals, faults and settings. */
export interface ServerState {
  /** Differs after a restart and in a new session, where ids start again. */
  readonly startedAt: string;
  readonly lastRequest: number;
  readonly oldestRequest: number;
  readonly lastViolation: number;
  readonly oldestViolation: number;
  /** Changes with everything else. */
  readonly version: string;
  readonly checkedUrl?: string;
  /** The mock itself, which has no name, and its sessions, each with the number of its requests. */
  readonly sessions?: readonly { readonly name?: string; readonly requests: number }[];
  readonly animals?: number;
  readonly takesTestKey?: boolean;
  readonly faults?: readonly Fault[];
  readonly settings?: Json<Settings>;
  /** Base URL of the deployment behind a proxy. */
  readonly upstream?: string;
  /** Path of a proxy's own base URL. */
  readonly basePath?: string;
}

/** Path of the mock or session that this page controls, such as `/` or `/sessions/w1/`. */
export const base = location.pathname;
export const { session } = parseSessionPath(base);

/** A proxy's console has no animals, faults and settings. */
export const isProxy = base === '/__console/';
export const serverName = isProxy ? 'proxy' : 'mock';
export const productName = `Animal Store ${isProxy ? 'checked proxy' : 'mock'}`;

/** Path of the URLs in the journal. */
const root = isProxy ? '/' : base;

export const noKey = '<API_KEY>';

export const server = signal<ServerState>();

/** `locked`: the server refused the token. `ended`: the session no longer exists. */
export const connection = signal<'connecting' | 'open' | 'lost' | 'locked' | 'ended'>('connecting');
export const refusal = signal('');

/** The server's message if it keeps no requests. */
export const journalRefusal = signal('');

export const rows = signal<readonly Row[]>([]);
export const found = signal<readonly Violation[]>([]);
export const violations = computed(() => Map.groupBy(found.value, ({ request }) => request));

export const faults = computed(() => server.value?.faults ?? []);
export const fixedTime = computed(() => server.value?.settings?.now ?? undefined);

/** Whether something reports violations: a mock may have no checked proxy. */
export const isChecked = computed(() => isProxy || server.value?.checkedUrl !== undefined);

export const baseUrl = computed(() => location.origin + (server.value?.basePath ?? `${root}v1`));

/** Base URL for an app: the checked proxy if there is one, since the console needs it for violations. */
export const appUrl = computed(() => {
  const { checkedUrl } = server.value ?? {};
  const { hostname } = location;
  // The browser may know the host by another name.
  return checkedUrl ? Object.assign(new URL(checkedUrl), { hostname }).href : baseUrl.value;
});

/** Returns the address that a request was sent to: its server, and in a session the path of the session. */
export function rootOf({ isChecked }: Pick<Row, 'isChecked'>): string {
  return (isChecked ? new URL(appUrl.value).origin : location.origin) + root;
}

export const usualKey = computed(() => (server.value?.takesTestKey ? 'test-key' : noKey));

/** The server no longer keeps the violations of requests before this one. Each server keeps 1,000 or more. */
export const uncheckedTo = computed(() => {
  const requests = [...violations.value.keys()].filter((id) => id !== undefined);
  return found.value.length < 1_000 ? 0 : Math.min(...requests);
});

const typed = signal<Readonly<Record<string, string>>>({ ...sessionStorage });

/** The token and the key are the same for all sessions of an origin. */
const toKey = (name: string) => `${name === 'token' || name === 'key' ? 'console' : base} ${name}`;

export const recall = (name: string, fallback = ''): string => typed.value[toKey(name)] ?? fallback;

/** Keeps the text of a field, also when the page reloads; undefined forgets it. */
export function remember(name: string, value: string | undefined): void {
  if (value === undefined) sessionStorage.removeItem(toKey(name));
  else sessionStorage.setItem(toKey(name), value);
  typed.value = { ...sessionStorage };
}
