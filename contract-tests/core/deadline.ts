import { Untried } from './result.ts';
import type { Target } from './target.ts';

/**
 * Creates the signal that ends a run, when its time is over or it is interrupted. Its reason is an Untried.
 *
 * @param interruption ends it sooner.
 */
export function createDeadline({ deadline }: Target, interruption?: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const end = (why: string) => controller.abort(new Untried(why));
  setTimeout(end, deadline, `the time for the run, ${deadline} ms, was over (--deadline)`).unref();
  const interrupt = () => end('the run was interrupted');
  interruption?.addEventListener('abort', interrupt);
  if (interruption?.aborted) interrupt();
  return controller.signal;
}
