import * as v from 'valibot';
import { operations } from '../../common/journal/operation-name.ts';
import { oneOf } from '../../common/schemas.ts';

/** The operation in a filter of requests, and in what a fault is for. */
export const operation = v.optional(v.pipe(oneOf(operations), v.description('Operation of the service.')));

/** Returns whether a value of JSON or of a program is a text or a number. */
export const isScalar = (value: unknown): boolean => /^(?:string|number|bigint)$/.test(typeof value);

/** Returns whether a query has each of these parameters with this value. A parameter may be there more than once. */
export function hasParameters(
  query: { getAll(name: string): string[] },
  wanted: Readonly<Record<string, unknown>>,
): boolean {
  return Object.entries(wanted).every(([name, value]) => query.getAll(name).includes(`${value}`));
}
