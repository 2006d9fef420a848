import * as v from 'valibot';
import { invalidRequest } from '../../common/http/api-error.ts';
import { readMembers } from '../../common/read-members.ts';
import { apiKeys, mustBe, oneOf, TIME, time } from '../../common/schemas.ts';
import { HIDDEN } from '../../common/text/hide-keys.ts';
import { type ListOrder, listOrders } from '../api/print-pets.ts';
import { type LimitPolicy, limitPolicies } from '../api/validation.ts';

/** Settings to change while a mock runs. The others stay. */
export interface SettingChanges {
  /** Time of the mock, which is then fixed; null is the real time. */
  readonly now?: Date | string | null;
  /** The API keys to accept. */
  readonly apiKeys?: readonly string[];
  readonly limitPolicy?: LimitPolicy;
  /** The order of lists. */
  readonly order?: ListOrder;
}

/** The settings of a mock. */
export interface Settings {
  /** Time of the mock, if it is fixed; null is the real time. */
  readonly now: Date | null;
  /** The API keys that are accepted; to users `[key]` for each. */
  readonly apiKeys: readonly string[];
  readonly limitPolicy: LimitPolicy;
  readonly order: ListOrder;
}

const changeSchemas = {
  now: v.optional(v.union([v.null(), time], mustBe(`${TIME}, or null for the real time`))),
  apiKeys: v.optional(apiKeys),
  limitPolicy: v.optional(oneOf(limitPolicies)),
  order: v.optional(oneOf(listOrders)),
};

/** Returns settings with some of them changed. @throws ApiError `invalid_request`, naming each change that is wrong. */
export function changeSettings(settings: Settings, changes: SettingChanges): Settings {
  const changed = { ...settings, ...readMembers('The settings', changes, changeSchemas) };
  if (!changed.apiKeys.includes(HIDDEN)) return changed;
  // Settings that were read may be written back.
  if (changed.apiKeys.every((key) => key === HIDDEN)) return { ...changed, apiKeys: settings.apiKeys };
  throw invalidRequest(`The settings: ${HIDDEN} is a redacted key. Send the keys themselves.`);
}

/** Returns settings as users see them. */
export function redactSettings(settings: Settings): Settings {
  const { now, apiKeys } = settings;
  return { ...settings, now: now && new Date(now), apiKeys: apiKeys.map(() => HIDDEN) };
}
