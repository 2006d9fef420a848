import { type Row, uncheckedTo, type Violation } from '../app/store.ts';
import { findMark, marks } from './find-mark.ts';
import { html, type View } from './parts.ts';

export interface RowProps {
  readonly row: Row;
  readonly found: readonly Violation[];
}

export function Status({ row, found }: RowProps): View {
  const { status, error, ms } = row;
  const kind = findMark(row, found, isUnchecked(row));
  const [mark, meaning] = marks[kind];
  const response = status ?? (error === undefined ? 'no reply' : 'reset');
  return html`<span class=${`status ${kind}`} title=${meaning}>${mark} ${ms === undefined ? 'waiting' : response}</span>`;
}

/** Returns whether the server may have dropped violations of a request. */
export const isUnchecked = ({ id }: Pick<Row, 'id'>): boolean => id < uncheckedTo.value;
