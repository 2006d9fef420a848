import { printReason, type Result } from '../report.ts';

/** Prints the clauses that failed with the evidence of a headline, each with its own values on one line. */
export function printAlso(followers: readonly Result[]): string[] {
  if (followers.length === 0) return [];
  const lines = followers.map((result) => `  ${result.clause.id}: ${printReason(result)}`);
  return [`also: ${countClauses(followers.length)} with the same evidence`, ...lines];
}

/** Prints the ids of clauses, as `list-pets/success, list-pets/pets`. */
export function listIds(results: readonly Result[]): string {
  return results.map(({ clause }) => clause.id).join(', ');
}

/** Prints a number of clauses, as `2 clauses`. */
export function countClauses(count: number): string {
  return `${count} clause${count === 1 ? '' : 's'}`;
}
