import type { Outcome } from './outcome.ts';
import type { ProvidedTarget } from './provided-target.ts';
import type { Traffic } from './report.ts';

declare module 'vitest' {
  interface ProvidedContext {
    target: ProvidedTarget;
  }
  interface TaskMeta {
    outcome?: Outcome;
    /** Until the end of this test. */
    traffic?: Traffic;
  }
}
