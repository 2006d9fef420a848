import { completeBehaviour, readBehaviour, toDifference } from '../../common/behaviour/behaviours.ts';
import type { Behaviour } from '../../common/behaviour/choices.ts';
import { invalidRequest } from '../../common/http/api-error.ts';
import { REDACTED } from '../../common/text/redact.ts';
import { readSettingChanges, type SettingChanges, type Settings } from './setting-changes.ts';

/** The settings as a session has them, with every choice. */
export interface SessionSettings extends Settings {
  readonly behaviour: Behaviour;
}

/** Returns settings with some of them changed. @throws ApiError `invalid_request`, naming each change that is wrong. */
export function changeSettings(settings: SessionSettings, changes: SettingChanges): SessionSettings {
  const { behaviour, ...others } = readSettingChanges(changes);
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
