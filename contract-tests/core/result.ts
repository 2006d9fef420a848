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

/** A clause failed, but other clients may have caused it: it is to be tried again. */
export class Unstable extends Failed {}

/** A clause could not be tried; the message is why. */
export class Skipped extends Error {
  override readonly name = 'Skipped';
}

/** How often something is tried that other clients may disturb. */
const MOST_TRIES = 3;

/** Tries something again when other clients may have caused its failure. @throws what it threw the last time. */
export async function tryAgain<T>(run: () => Promise<T>, left = MOST_TRIES): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (left === 1 || !(error instanceof Unstable)) throw error;
    return tryAgain(run, left - 1);
  }
}
