import { signal } from '@preact/signals';
import { ask } from './ask.ts';
import { poll } from './poll.ts';
import { serverName } from './store.ts';

interface Notice {
  readonly text: string;
  readonly isFailure?: boolean;
  readonly undo?: () => Promise<unknown>;
}

/** The latest notice. Only its change can be undone. */
export const notice = signal<Notice>();

/** Time until a notice goes, in milliseconds. */
const NOTICE_TIME = 10_000;

export function notify(next: Notice): void {
  notice.value = next;
  setTimeout(() => {
    if (notice.value === next) notice.value = undefined;
  }, NOTICE_TIME);
}

/** Does something and reads the new state. If that fails, shows why. */
export async function attempt(act: () => unknown): Promise<void> {
  try {
    await act();
    await poll();
  } catch (error) {
    notify({ text: describe(error), isFailure: true });
  }
}

export function describe(error: unknown): string {
  // A lost connection, for which each browser has other words.
  if (error instanceof TypeError) return `The ${serverName} does not respond. Check that it is running.`;
  return (error as Error).message;
}

/** Changes the animals, which can be undone as long as nobody else changes them. */
export async function change(text: string, act: () => Promise<unknown>): Promise<void> {
  // The server does not list names that begin with a dot.
  await ask('PUT', 'snapshots/.before');
  await act();
  await ask('PUT', 'snapshots/.after');
  notify({ text, undo: () => ask('POST', 'snapshots/.before/restore?unchangedSince=.after') });
}
