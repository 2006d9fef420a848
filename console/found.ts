import { ask } from './ask.ts';
import { isProxy, type Row, refresh, state, type Violation } from './data.ts';

/** How many violations the server keeps: of all requests, of one, and of one about parameters that are not known. */
const [MOST_KEPT, MOST_OF_REQUEST, MOST_UNKNOWN] = isProxy ? [10_000, 50, 20] : [1_000, 1_000, 20];

/** How many violations the server tells at once. */
const MOST_TOLD = 20;

/** How often what was not told is read, in milliseconds. */
const PAUSE = 1_000;

/** What is wrong with a request. */
export interface Found {
  /** Of what is known: an error before a warning. */
  readonly worst: Violation;
  /** With those that are not known. */
  readonly count: number;
  /** Whether there may be more. */
  readonly isAtLeast: boolean;
}

/** What is wrong with a request, in all; undefined where nothing is known of. */
export function findWrong(row: Row): Found | undefined {
  const { violations = [], others = 0, isUnsure = false } = row;
  const worst = violations.find(isError) ?? violations[0];
  const count = violations.length + others;
  return worst && { worst, count, isAtLeast: isUnsure || count >= MOST_OF_REQUEST || mayLackUnknown(row) };
}

/** Whether there may be more parameters that are not known; they are told last, so that what is not told is of them or before. */
function mayLackUnknown({ violations = [], others = 0 }: Row): boolean {
  const unknown = violations.filter(({ rule }) => /^unknown-(?:parameter|member)$/.test(rule)).length;
  const isOpen = others > 0 && violations.length - unknown <= 1;
  return unknown + (isOpen ? others : 0) >= MOST_UNKNOWN;
}

/** Whether a violation is an error, and not a warning. */
export function isError({ severity }: Violation): boolean {
  return severity === 'error';
}

/** How many of each request are not told, of those that are told at once. */
const untold = new Map<number | undefined, number>();

/** From where on violations are to be read: there were requests of which none was told. */
let gap: number | undefined;
let isReading = false;

/** Takes in all that the server keeps. */
export function takeViolations(violations: readonly Violation[]): void {
  untold.clear();
  gap = undefined;
  const first = violations.length < MOST_KEPT ? 0 : (violations[0]?.request ?? 0);
  // What came before them is forgotten.
  for (const { id } of [...state.rows]) if (id <= first) change(id, (row) => ({ ...row, isUnsure: true }));
  give(violations);
  state.lastViolation = violations.at(-1)?.id ?? 0;
}

/** Gives a violation that was told to its request, if that is shown. */
export function addViolation(violation: Violation): void {
  const { id, request, others = 0 } = violation;
  if (id <= state.lastViolation) return;
  state.lastViolation = id;
  const more = untold.has(request) ? 0 : others;
  if (others > 0) untold.set(request, others);
  change(request, (row) => {
    const { violations = [] } = row;
    // It may have been read before it was told.
    if (violations.some((one) => one.id === id)) return row;
    return { ...row, violations: [...violations, violation], others: (row.others ?? 0) + more };
  });
}

/** Ends what was told at once, of which so many were not. */
export function takeSkipped(count: number): void {
  const known = [...untold.values()].reduce((sum, more) => sum + more, 0);
  untold.clear();
  if (known >= count) return;
  gap = Math.min(gap ?? state.lastViolation, Math.max(0, state.lastViolation - MOST_TOLD - count));
  void readGap();
}

async function readGap(): Promise<void> {
  if (isReading) return;
  isReading = true;
  while (gap !== undefined) {
    const since = gap;
    gap = undefined;
    // Where the connection is lost all is read again.
    give(await ask('GET', `violations?since=${since}`).catch(() => []));
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  isReading = false;
}

/** Gives violations to their requests, those that are shown. */
function give(violations: readonly Violation[]): void {
  for (const [request, some] of Map.groupBy(violations, (one) => one.request))
    change(request, (row) => withMore(row, some));
  refresh();
}

function change(request: number | undefined, act: (row: Row) => Row): void {
  for (const rows of [state.rows, state.waiting]) {
    const index = rows.findIndex(({ id }) => id === request);
    const row = rows[index];
    if (row !== undefined) rows[index] = act(row);
  }
}

/** A request with violations some of which may have been counted before. */
function withMore(row: Row, some: readonly Violation[]): Row {
  const { violations = [], others = 0 } = row;
  const known = new Map([...violations, ...some].map((one) => [one.id, one]));
  const all = [...known.values()].sort((one, other) => one.id - other.id);
  return { ...row, violations: all, others: Math.max(0, violations.length + others - all.length) };
}

let asked = '';

/** Reads the violations of a request that were not told, once. */
export function readOthers({ id, others = 0 }: Row): void {
  const wanted = `${state.connections} ${id} ${others}`;
  if (others === 0 || asked === wanted) return;
  asked = wanted;
  void ask('GET', `violations?request=${id}`).then(give, () => {});
}

/** A request that was not told, with its violations. */
export async function withFound(row: Row): Promise<Row> {
  if (!state.isWatched) return row;
  const violations: Violation[] = await ask('GET', `violations?request=${row.id}`);
  const found = violations.length === 0 ? row : { ...row, violations };
  const kept = state.lastViolation - MOST_KEPT / 2;
  const isKept = [found, ...state.rows].some(
    ({ id, violations: [first] = [] }) => id <= row.id && first !== undefined && first.id > kept,
  );
  return { ...found, isUnsure: state.lastViolation >= MOST_KEPT && !isKept };
}
