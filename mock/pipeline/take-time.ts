import { clearTimeout, setTimeout } from '../../common/real-time.ts';
import type { Context } from './context.ts';

/** Waits for some milliseconds, or until the client leaves. */
export function takeTime(context: Pick<Context, 'onClose'>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    context.onClose(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
