import type { Headers, Violation } from '../exchange.ts';

/** The longest value of the header, in bytes: servers and clients accept 16 KiB of headers and often 8. */
export const LONGEST = 6000;

/**
 * The headers that tell of violations: `sl-violations` and, where the upstream lets another origin read its response,
 * the leave to read that header too.
 *
 * @param headers those of the upstream's response.
 */
export function toViolationHeaders(violations: readonly Violation[], headers: Headers): string[] {
  if (violations.length === 0) return [];
  const isForeign = headers['access-control-allow-origin'] !== undefined;
  const leave = isForeign ? ['Access-Control-Expose-Headers', 'sl-violations'] : [];
  return ['sl-violations', printViolations(violations), ...leave];
}

/** JSON in ASCII, in the shape of Prism's own. What does not fit is counted in a last element whose code is `more`. */
function printViolations(violations: readonly Violation[]): string {
  const all = violations.map(({ location, severity, code, message }) =>
    toAscii({ location, severity: severity === 'error' ? 'Error' : 'Warning', code, message }),
  );
  const print = (elements: readonly string[]) => `[${elements.join(',')}]`;
  if (print(all).length <= LONGEST) return print(all);
  const countRest = (count: number) =>
    toAscii({ location: [], severity: 'Information', code: 'more', message: `${count} more violations` });
  const kept: string[] = [];
  for (const text of all) {
    if (print([...kept, text, countRest(all.length)]).length > LONGEST) break;
    kept.push(text);
  }
  return print([...kept, countRest(all.length - kept.length)]);
}

/** JSON that any header may hold: a character that is not ASCII is escaped, as it may be in every JSON string. */
function toAscii(value: unknown): string {
  const escapeChar = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replaceAll(/[^\x20-\x7e]/g, escapeChar);
}
