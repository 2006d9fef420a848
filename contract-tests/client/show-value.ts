import { type ExactJson, printExactJson } from '../../common/json/exact-json.ts';
import type { JsonText } from '../failures/failure.ts';

/** Returns a value as JSON text; undefined stays undefined. */
export function toJsonText(value: ExactJson | undefined): JsonText | undefined {
  return value === undefined ? undefined : printExactJson(value);
}

/** Returns a value as JSON text, or the word for no value. */
export function showValue(value: ExactJson | undefined): string {
  return toJsonText(value) ?? 'nothing';
}
