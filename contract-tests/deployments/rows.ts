import type { MockOptions } from '../../mock/index.ts';
import type { Behaviours, Deployment } from './deployment.ts';

/** Creates deployments that each break the same clauses. */
export function broken(breaks: string | readonly string[], rows: Behaviours): Deployment[] {
  return brokenWith({}, breaks, rows);
}

/** Creates deployments that each break the same clauses, with a mock behind them that is started in another way. */
export function brokenWith(options: MockOptions, breaks: string | readonly string[], rows: Behaviours) {
  const clauses = [breaks].flat();
  return Object.entries(rows).map(
    ([name, createBehaviour]): Deployment => ({ name, breaks: clauses, createBehaviour, options }),
  );
}

/** Creates deployments that break nothing, with what else is said of them. */
export function conforming(rows: Behaviours, parts: Partial<Deployment> = {}): Deployment[] {
  return Object.entries(rows).map(([name, createBehaviour]) => ({
    name,
    breaks: [],
    createBehaviour,
    ...parts,
  }));
}

/**
 * Rows for the first of a table, which are deployments. For the others it is enough that the suite makes a request that
 * would show them, in the same list: requests.test.ts looks for it.
 */
export function firstOf<T, Row>(
  count: number,
  table: Readonly<Record<string, T>> = {},
  toRow: (value: T) => Row,
  prefix = '',
): Readonly<Record<string, Row>> {
  return forEach(Object.entries(table).slice(0, count), ([name, value]) => [
    `${prefix}${name}`,
    toRow(value),
  ]);
}

/** A row for each of some values. */
export function forEach<T, Row>(
  values: readonly T[],
  toRow: (value: T) => [string, Row],
): Readonly<Record<string, Row>> {
  return Object.fromEntries(values.map(toRow));
}
