import type { AnimalOptions } from './additions.ts';

/** An animal with each of the three statuses, and one without. */
export const kinds: readonly AnimalOptions[] = [
  { status: 'sold' },
  {},
  { status: 'available' },
  { status: 'pending' },
];
