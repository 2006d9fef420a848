import { escapeUnit } from '../../common/text/harmless-text.ts';
import type { Headers, Violation } from '../exchange.ts';

/** Maximum length of the header, in bytes: many servers and clients accept 8 KiB of headers. */
export const MAX_VIOLATION_HEADER = 6000;

/** Returns the header `sl-violations`. If the upstream allows another origin to read its response, that origin may read it too. */
export function toViolationHeaders(violations: readonly Violation[], headers: Headers): string[] {
  if (violations.length === 0) return [];
  const isForeign = headers['access-control-allow-origin'] !== undefined;
  const expose = isForeign ? ['Access-Control-Expose-Headers', 'sl-violations'] : [];
  return ['sl-violations', printViolations(violations), ...expose];
}

/** Prints violations as Prism does. The last element counts the ones that do not fit. */
function printViolations(violations: readonly Violation[]): string {
  const all = violations.map(({ location, severity, code, message }) =>
    toAscii({ location, severity: severity === 'error' ? 'Error' : 'Warning', code, message }),
  );
  const print = (elements: readonly string[]) => `[${elements.join(',')}]`;
  if (print(all).length <= MAX_VIOLATION_HEADER) return print(all);
  const countRest = (count: number) =>
    toAscii({ location: [], severity: 'Information', code: 'more', message: `${count} more violations` });
  const kept: string[] = [];
  for (const text of all) {
    if (print([...kept, text, countRest(all.length)]).length > MAX_VIOLATION_HEADER) break;
    kept.push(text);
  }
  return print([...kept, countRest(all.length - kept.length)]);
}

function toAscii(value: unknown): string {
  return JSON.stringify(value).replaceAll(/[^\x20-\x7e]/g, escapeUnit);
}
