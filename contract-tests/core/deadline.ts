import { type Cause, Unproven } from './result.ts';
import type { Target } from './target.ts';

/**
 * Creates the signal that ends a run at its deadline or at an interruption. Its reason is an Unproven.
 *
 * @param interruption ends the run sooner.
 */
export function createDeadline({ deadline }: Target, interruption?: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const end = (why: string, cause: Cause) => controller.abort(new Unproven(why, cause));
  setTimeout(end, deadline, `the deadline of ${deadline} ms was reached (--deadline)`, 'deadline').unref();
  const interrupt = () => end('the run was interrupted', 'interrupted');
  interruption?.addEventListener('abort', interrupt);
  if (interruption?.aborted) interrupt();
  return controller.signal;
}
