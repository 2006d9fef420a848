import { type Notice, refresh, server, state } from './data.ts';

/** How long a notice stays, in milliseconds; longer while somebody is at it. */
const NOTICE_STAYS = 10_000;

/** The most that can be undone at a time: with one more, the oldest cannot any more. */
export const MOST_UNDOABLE = 3;

/** The latest undoing. */
let last: Promise<unknown> = Promise.resolve();

const timers = new WeakMap<Notice, number>();

/** Shows a notice. What can be undone stays beside others; of all else the latest alone is shown. */
export function tell(notice: Notice): void {
  state.notices = [...state.notices.filter(({ undo }) => undo !== undefined), notice];
  const undoable = state.notices.filter(({ undo }) => undo !== undefined);
  if (undoable.length > MOST_UNDOABLE) drop(undoable[0] as Notice);
  letStay(notice);
  refresh();
}

/** Lets a notice go, which can then not be undone any more. */
export function drop(notice: Notice): void {
  if (!state.notices.includes(notice)) return;
  state.notices = state.notices.filter((one) => one !== notice);
  notice.end?.();
  refresh();
}

/** Undoes what a notice tells of; where that fails, it can be tried again. */
export async function undo(notice: Notice): Promise<void> {
  // Another press is for another notice.
  if (!state.notices.includes(notice)) return;
  state.notices = state.notices.filter((one) => one !== notice);
  refresh();
  // One after the other: what the second finds is what the first has left.
  const undone = last.then(() => attempt(async () => notice.undo?.()));
  last = undone;
  if (await undone) return;
  state.notices = [notice, ...state.notices];
  letStay(notice);
  refresh();
}

function letStay(notice: Notice): void {
  clearTimeout(timers.get(notice));
  const isRead = () => document.querySelector('.notice:hover, .notice:focus-within') !== null;
  const end = () => (isRead() ? letStay(notice) : drop(notice));
  timers.set(notice, setTimeout(end, NOTICE_STAYS));
}

/** What is still to be done is done: who is gone cannot undo. */
function endAll(): void {
  for (const notice of state.notices) if (notice.end !== undefined) drop(notice);
}

document.addEventListener('visibilitychange', () => document.hidden && endAll());
addEventListener('pagehide', endAll);

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
  return error instanceof TypeError
    ? `The ${server} does not answer. Is it running?`
    : (error as Error).message;
}
