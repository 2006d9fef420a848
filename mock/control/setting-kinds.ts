import * as kinds from '../../common/value-kinds.ts';
import { listOrders } from '../api/print-pets.ts';
import { limitPolicies } from '../api/validation.ts';

/** A time; one without an offset would mean another moment on another machine, so it is not one. */
export const time: kinds.ValueKind<Date> = {
  expected: 'an ISO 8601 date, or a time with its offset, such as 2030-12-05T00:00:00Z',
  fromText: parseTime,
  isValid: (value): value is Date => value instanceof Date && !Number.isNaN(value.getTime()),
};

/** API keys. */
export const apiKeys = kinds.repeatable({
  ...kinds.text('printable ASCII without spaces, as an HTTP header carries it', /^[\x21-\x7e]+$/),
  secret: true,
});

export const limitPolicy = kinds.oneOf(limitPolicies);

export const listOrder = kinds.oneOf(listOrders);

/** Whether the clock goes on from where it was put. */
export const clock = kinds.oneOf(['still', 'running']);

/** The time that a text stands for, or the text. */
export function parseTime(text: string): unknown {
  if (!/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text)) return text;
  const day = text.slice(0, 10);
  const isDay = new Date(day).toJSON()?.startsWith(day) ?? false;
  const time = new Date(text);
  return isDay && !Number.isNaN(time.getTime()) ? time : text;
}
