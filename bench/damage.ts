import type { Random } from './random.ts';

/** One way in which a request can be wrong or unusual. */
export interface Damage {
  /** The bytes of a request, one for each character. */
  readonly print: (random: Random) => string;
  /** Whether a client that waits is owed an answer: it is not where the server must take more to be coming. */
  readonly isOwed: boolean;
}

/** Damage that the server can see for itself, and must answer. */
export function owed(print: Damage['print']): Damage {
  return { print, isOwed: true };
}

/** Damage that may leave the server waiting for the rest. */
export function unowed(print: Damage['print']): Damage {
  return { print, isOwed: false };
}
