import type { Result } from '../report.ts';

/** Chooses the failure that stands for all of them. A recommendation never stands for a required clause. */
export function chooseFinding(some: readonly Result[]): Result | undefined {
  return some.find(({ clause }) => clause.level === 'required') ?? some[0];
}
