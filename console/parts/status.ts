import { type Row, uncheckedTo, type Violation } from '../app/store.ts';
import { isError } from '../lib/describe-violation.ts';
import { html, type View } from './parts.ts';

/** Marks of requests and their meanings. */
export const marks = {
  pass: ['✓', 'no problem found'],
  warn: ['!', 'warning, or another 4xx response'],
  fail: ['✗', 'violation, invalid request, 5xx response or no response'],
  muted: ['?', 'violations no longer kept'],
} as const;

export interface RowProps {
  readonly row: Row;
  readonly found?: readonly Violation[] | undefined;
}

export function Status({ row, found = [] }: RowProps): View {
  const kind = rate(row, found);
  const { status = row.error === undefined ? 'no reply' : 'drop' } = row;
  return html`<span class=${`status ${kind}`} title=${marks[kind][1]}>${marks[kind][0]} ${status}</span>`;
}

/** Returns the same mark for a problem, whether the mock or the checked proxy reports it. */
function rate({ id, status = 599, error = '' }: Row, found: readonly Violation[]): keyof typeof marks {
  if (status >= 500 || /^(?:invalid_request|unauthorized)$/.test(error) || found.some(isError)) return 'fail';
  if (status >= 400 || found.length > 0) return 'warn';
  return id < uncheckedTo.value ? 'muted' : 'pass';
}
