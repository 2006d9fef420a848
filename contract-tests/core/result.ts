import type { Exchange } from './exchange.ts';

/** The deployment did not do what a clause asks. */
export class Failed extends Error {
  override readonly name = 'Failed';
  readonly expected: string;
  readonly actual: string;
  readonly exchange: Exchange | undefined;

  constructor(expected: string, actual: string, exchange?: Exchange) {
    super(`expected ${expected}, got ${actual}`);
    this.expected = expected;
    this.actual = actual;
    this.exchange = exchange;
  }
}

/** A clause seems not to be fulfilled, unless others have come between: it is to be tried again. */
export class Unstable extends Failed {}

/** A clause could not be tried; the message is why. */
export class Skipped extends Error {
  override readonly name = 'Skipped';
}

/** What became of a clause. */
export type Verdict =
  | { readonly kind: 'passed' }
  | {
      readonly kind: 'failed';
      readonly expected: string;
      readonly actual: string;
      readonly exchange: Exchange | undefined;
    }
  | { readonly kind: 'skipped'; readonly reason: string }
  | { readonly kind: 'error'; readonly reason: string };

/** Runs a function and says what became of it; whatever it throws beside the two above is a fault of the suite. */
export async function toVerdict(run: () => Promise<void>): Promise<Verdict> {
  try {
    await run();
    return { kind: 'passed' };
  } catch (error) {
    if (error instanceof Failed) {
      const { expected, actual, exchange } = error;
      return { kind: 'failed', expected, actual, exchange };
    }
    if (error instanceof Skipped) return { kind: 'skipped', reason: error.message };
    return { kind: 'error', reason: (error as Error).stack ?? String(error) };
  }
}
