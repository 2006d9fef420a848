import { type Notice, refresh, server, state } from './data.ts';

/** How long a notice stays, in milliseconds. */
const NOTICE_STAYS = 10_000;

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
  return error instanceof TypeError
    ? `The ${server} does not answer. Is it running?`
    : (error as Error).message;
}
