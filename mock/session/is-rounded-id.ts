import type { PetStore } from '../service/pet-store.ts';

/** Least absolute value from which on doubles do not hold every integer. */
const LEAST_ROUNDED = 2 ** 53;

/** Half of the distance between the doubles next to 2^63, the largest one of an int64. */
const LARGEST_DIFFERENCE = 1_024n / 2n;

/** Returns whether an animal exists whose id becomes this text if a program reads the id as a double and prints it. */
export function isRoundedId(petId: string, store: PetStore): boolean {
  const double = Number(petId);
  if (!/^-?\d{16,19}$/.test(petId) || Math.abs(double) < LEAST_ROUNDED) return false;
  const exact = BigInt(double);
  // JavaScript prints the shortest digits that lead to the double, other languages print all of its digits.
  if (petId !== String(double) && petId !== String(exact)) return false;
  for (let id = exact - LARGEST_DIFFERENCE; id <= exact + LARGEST_DIFFERENCE; id += 1n)
    if (Number(id) === double && String(id) !== petId && store.get(id) !== undefined) return true;
  return false;
}
