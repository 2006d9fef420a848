import type { CreateBehaviour, Deployment } from './deployment.ts';

/** Behaviours by the names of their deployments. */
type Rows = Readonly<Record<string, CreateBehaviour>>;

/** Creates a deployment for each row. @param parts how they are started, and what the suite is told of them */
export function deployments(rows: Rows, parts: Partial<Deployment> = {}): Deployment[] {
  return Object.entries(rows).map(([name, createBehaviour]) => ({ ...parts, name, createBehaviour }));
}

/** A row for each of some values. */
export function forEach<T, Row>(
  values: readonly T[],
  toRow: (value: T) => [string, Row],
): Readonly<Record<string, Row>> {
  return Object.fromEntries(values.map(toRow));
}
