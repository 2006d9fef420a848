import type { Result } from '../report.ts';

/** Prints in one line which clauses stand under another, if any do. */
export function printAlso(followers: readonly Result[]): string[] {
  const ids = followers.map(({ clause }) => clause.id).join(', ');
  return ids === '' ? [] : [`also: ${countClauses(followers.length)}, probably for the same reason: ${ids}`];
}

/** Prints a number of clauses, as `2 clauses`. */
export function countClauses(count: number): string {
  return `${count} clause${count === 1 ? '' : 's'}`;
}
