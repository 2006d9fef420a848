import { toHarmless, toOneLine } from '../../common/harmless-text.ts';
import type { Paint } from '../../common/paint.ts';
import type { LogFormat } from '../../common/value-kinds.ts';
import type { Sighting } from './findings.ts';

/** The longest target that a line holds, in characters. */
const LONGEST_TARGET = 200;

/** Prints a violation as one line of the log, without its line break; what passed the proxy is said to be from there. */
export function printViolation(
  format: Exclude<LogFormat, 'silent'>,
  time: Date,
  { severity, operationId, target, ...sighting }: Sighting,
  paint: Paint,
): string {
  const { place, rule, message, count, method, recorded } = sighting;
  const [iso, url] = [time.toISOString(), target.slice(0, LONGEST_TARGET)];
  if (format === 'json') {
    const from = recorded === undefined ? 'proxy' : undefined;
    const subject = { time: iso, from, violation: severity, operation: operationId ?? null };
    return toHarmless(JSON.stringify({ ...subject, place, rule, message, count, method, url, recorded }));
  }
  const [from, where] = recorded === undefined ? ['proxy ', ''] : ['', `log.entries[${recorded.index}] `];
  const what = toOneLine(`${operationId ?? '-'} ${place} ${rule}: ${message}`);
  const which = toOneLine(`(${count} so far; ${where}${method} ${url})`);
  // Colours are controls, and so the rest is made harmless without them.
  const painted = paint(severity === 'error' ? 'red' : 'yellow', severity);
  return `${iso.slice(11, 19)} ${from}violation ${painted} ${what} ${which}`;
}
