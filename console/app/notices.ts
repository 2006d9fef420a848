import { poll } from './poll.ts';
import { type Notice, notices, serverName } from './store.ts';

/** Number of changes that can be undone. */
const MOST_UNDOABLE = 3;

/** Time until a notice goes, in milliseconds. */
const NOTICE_TIME = 10_000;

export function notify(notice: Notice): void {
  const undoable = notices.value.filter(({ undo }) => undo !== undefined);
  notices.value = [...undoable, notice];
  const [oldest] = undoable;
  if (notice.undo && oldest && undoable.length === MOST_UNDOABLE) dismiss(oldest);
  expire(notice);
}

function expire(notice: Notice): void {
  const isRead = () => document.querySelector('.notice:hover, .notice:focus-within') !== null;
  setTimeout(() => (isRead() ? expire(notice) : dismiss(notice)), NOTICE_TIME);
}

/** Removes a notice. Its change can then not be undone. */
export function dismiss(notice: Notice): void {
  if (remove(notice)) notice.end?.();
}

function remove(notice: Notice): boolean {
  const isShown = notices.value.includes(notice);
  notices.value = notices.value.filter((one) => one !== notice);
  return isShown;
}

export function undo(notice = notices.value.findLast((one) => one.undo !== undefined)): void {
  if (notice !== undefined && remove(notice)) void attempt(async () => notice.undo?.());
}

addEventListener('pagehide', () => {
  for (const notice of notices.value) if (notice.end !== undefined) dismiss(notice);
});

let last: Promise<void> = Promise.resolve();

/** Does something after earlier attempts and reads the new state. If that fails, shows why. */
export function attempt(act: () => Promise<unknown>): Promise<void> {
  last = last
    .then(act)
    .then(poll)
    .catch((error) => notify({ text: describe(error), isFailure: true }));
  return last;
}

export function describe(error: unknown): string {
  // A lost connection, for which each browser has other words.
  if (error instanceof TypeError) return `The ${serverName} does not respond. Check that it is running.`;
  return (error as Error).message;
}
