import * as v from 'valibot';
import { completeBehaviour, readBehaviour, toDifference } from '../../common/behaviour/behaviours.ts';
import type { Behaviour, Difference } from '../../common/behaviour/choices.ts';
import { invalidRequest } from '../../common/http/api-error.ts';
import { readMembers } from '../../common/read-members.ts';
import { apiKeys, mustBe, TIME, time } from '../../common/schemas.ts';
import { REDACTED } from '../../common/text/redact.ts';

/** Settings to change while a mock runs. The others stay. */
export interface SettingChanges {
  /** Time of the mock, which is then fixed; null is the real time. */
  readonly now?: Date | string | null;
  /** The API keys to accept. */
  readonly apiKeys?: readonly string[];
  /** The choices that differ from the default, or the name of a behaviour. It replaces the whole behaviour. */
  readonly behaviour?: Difference | string;
}

/** The settings of a mock. */
export interface Settings {
  /** Time of the mock, if it is fixed; null is the real time. */
  readonly now: Date | null;
  /** The API keys that are accepted; to users `[key]` for each. */
  readonly apiKeys: readonly string[];
  /** The choices that differ from the default. */
  readonly behaviour: Difference;
}

/** The settings as a session has them, with every choice. */
export interface SessionSettings extends Settings {
  readonly behaviour: Behaviour;
}

const changeSchemas = {
  now: v.optional(v.union([v.null(), time], mustBe(`${TIME}, or null for the real time`))),
  apiKeys: v.optional(apiKeys),
  behaviour: v.optional(v.any()),
};

/** Returns settings with some of them changed. @throws ApiError `invalid_request`, naming each change that is wrong. */
export function changeSettings(settings: SessionSettings, changes: SettingChanges): SessionSettings {
  const { behaviour, ...others } = readMembers('The settings', changes, changeSchemas);
  const changed = {
    ...settings,
    ...others,
    ...(behaviour !== undefined && { behaviour: completeBehaviour(readBehaviour(behaviour)) }),
  };
  if (!changed.apiKeys.includes(REDACTED)) return changed;
  // Settings that were read may be written back.
  if (changed.apiKeys.every((key) => key === REDACTED)) return { ...changed, apiKeys: settings.apiKeys };
  throw invalidRequest(`The settings: ${REDACTED} is a redacted key. Send the keys themselves.`);
}

/** Returns settings as users see them. */
export function redactSettings({ now, apiKeys, behaviour }: SessionSettings): Settings {
  const hidden = apiKeys.map(() => REDACTED);
  return { now: now && new Date(now), apiKeys: hidden, behaviour: toDifference(behaviour) };
}
