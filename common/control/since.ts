import type { ValueKind } from '../value-kinds.ts';
import { readMembers } from './read-members.ts';

/** A time or an id, from a program or from a query, where all is text. */
export const sinceKind: ValueKind<unknown> = {
  expected: 'a Date, a time such as 2026-11-21T09:30:00Z, or an id',
  isValid: (value): value is unknown => !Number.isNaN(readSince(value)[1]),
};

/** Up to which one, by its id. */
export interface Until {
  readonly until?: number;
}

/** An id, from a program or from a query. */
export const untilKinds = {
  until: {
    expected: 'an id',
    isValid: (value: unknown): value is unknown => /^\d{1,15}$/.test(String(value)),
  },
};

/** Reads it, from a program or from a query. @throws ApiError `invalid_request` */
export function readUntil(which: object): number | undefined {
  const { until } = readMembers<Until>('The filter', which, untilKinds);
  return until === undefined ? undefined : Number(until);
}

/** Whether what has an id and a time, in milliseconds since 1970, came since then. @param since valid by `sinceKind`. */
export function isSinceMet(since: unknown, id: number, time: number): boolean {
  const [field, least] = readSince(since);
  return field === 'id' ? id > least : time >= least;
}

/** What an entry is compared by, and with; NaN when it is neither an id nor a time. */
function readSince(value: unknown): ['id' | 'time', number] {
  if (/^\d{1,15}$/.test(String(value))) return ['id', Number(value)];
  const isTime = typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value);
  return ['time', isTime ? Date.parse(value) : Number.NaN];
}
