import type { AnimalOptions } from './additions.ts';
import { tryAgain } from './try-again.ts';

/** An animal with each of the three statuses, and one without. */
export const kinds: readonly AnimalOptions[] = [
  { status: 'sold' },
  {},
  { status: 'available' },
  { status: 'pending' },
];

/** Tries something with a new animal of a kind; with some of them where others may sell it in between. */
export function tryWithFresh<T>({ status = 'sold' }: AnimalOptions, run: () => Promise<T>): Promise<T> {
  return status === 'sold' ? run() : tryAgain(run);
}
