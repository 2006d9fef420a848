import type { MockOptions } from '../../mock/index.ts';
import type { CreateBehaviour, Deployment } from './deployment.ts';

/** Behaviours by the names of their deployments. */
type Rows = Readonly<Record<string, CreateBehaviour>>;

/** Creates deployments that each break the same clauses. */
export function broken(breaks: string | readonly string[], rows: Rows): Deployment[] {
  return brokenWith({}, breaks, rows);
}

/** Creates deployments that each break the same clauses, with a mock behind them that is started in another way. */
export function brokenWith(options: MockOptions, breaks: string | readonly string[], rows: Rows) {
  const clauses = [breaks].flat();
  return Object.entries(rows).map(
    ([name, createBehaviour]): Deployment => ({ name, breaks: clauses, createBehaviour, options }),
  );
}

/** Creates deployments that break nothing, with what else is said of them. */
export function conforming(rows: Rows, parts: Partial<Deployment> = {}): Deployment[] {
  return broken([], rows).map((row) => ({ ...row, ...parts }));
}

/** Has deployments asked over HTTP, which they are about. */
export function overHttp(rows: readonly Deployment[]): Deployment[] {
  return rows.map((row) => ({ ...row, overHttp: true }));
}

/** A row for each of some values. */
export function forEach<T, Row>(
  values: readonly T[],
  toRow: (value: T) => [string, Row],
): Readonly<Record<string, Row>> {
  return Object.fromEntries(values.map(toRow));
}
