import { type Row, uncheckedTo, type Violation } from '../app/store.ts';
import { html, type View } from './parts.ts';

/** Marks of requests and their meanings. */
export const marks = {
  pass: ['✓', 'no problem found'],
  warn: ['!', 'warning, or another 4xx response'],
  fail: ['✗', 'violation, invalid request, 5xx response or no response'],
  fault: ['≠', 'changed by a fault'],
  muted: ['?', 'violations no longer kept'],
  waiting: ['…', 'waiting for its response'],
} as const;

export interface RowProps {
  readonly row: Row;
  readonly found: readonly Violation[];
}

export const isError = ({ severity }: Pick<Violation, 'severity'>): boolean => severity === 'error';

/** Shows the same mark for a problem, whether the mock or the checked proxy reports it. */
export function Status({ row, found }: RowProps): View {
  const { id, status, error, fault, ms } = row;
  if (ms === undefined) return printStatus('waiting', 'waiting');
  const response = status ?? (error === undefined ? 'no reply' : 'reset');
  if (fault !== undefined) return printStatus('fault', response);
  const isRefused = error === 'invalid_request' || error === 'unauthorized';
  // A fault has broken a response whose status is none of an error.
  const isBroken = status === undefined || (status < 400 && error !== undefined);
  const isFailed = isBroken || status >= 500 || isRefused || found.some(isError);
  if (isFailed) return printStatus('fail', response);
  if (Number(status) >= 400 || found.length > 0) return printStatus('warn', response);
  return printStatus(isUnchecked({ id }) ? 'muted' : 'pass', response);
}

function printStatus(kind: keyof typeof marks, response: number | string): View {
  const [mark, meaning] = marks[kind];
  return html`<span class=${`status ${kind}`} title=${meaning}>${mark} ${response}</span>`;
}

/** Returns whether the server may have dropped violations of a request. */
export const isUnchecked = ({ id }: Pick<Row, 'id'>): boolean => id < uncheckedTo.value;
