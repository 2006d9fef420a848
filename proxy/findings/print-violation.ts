import { toOneLine } from '../../common/hide-keys.ts';
import type { LogFormat } from '../../common/value-kinds.ts';
import type { Sighting } from './findings.ts';

/** The longest target that a line holds, in characters. */
const LONGEST_TARGET = 200;

/** Prints a violation as one line of the log, without its line break. */
export function printViolation(
  format: Exclude<LogFormat, 'silent'>,
  time: Date,
  { severity, operationId, place, rule, message, count, method, target }: Sighting,
): string {
  const url = target.slice(0, LONGEST_TARGET);
  const entry = {
    time: time.toISOString(),
    violation: severity,
    operation: operationId ?? null,
    place,
    rule,
    message,
    count,
    method,
    url,
  };
  if (format === 'json') return JSON.stringify(entry);
  const what = `${entry.time.slice(11, 19)} violation ${severity} ${operationId ?? '-'} ${place} ${rule}`;
  return toOneLine(`${what}: ${message} (${count} so far; ${method} ${url})`);
}
