import type { Violation } from '../exchange.ts';

/** Finds a status line that cannot be forwarded. Source: RFC 9110 section 15 */
export function findHeadFault(status: number, reason = ''): Violation | undefined {
  const fault = { location: ['response'], severity: 'error' } as const;
  if (status < 200 || status > 599) {
    const message = `The status ${String(status).padStart(3, '0')} is none of HTTP, which has 200 to 599`;
    return { ...fault, code: 'status', message };
  }
  const [control] = /[^\t\x20-\x7e\x80-\xff]/.exec(reason) ?? [];
  if (control === undefined) return undefined;
  const message = `The reason phrase holds the control character ${JSON.stringify(control)}`;
  return { ...fault, code: 'reason', message };
}
