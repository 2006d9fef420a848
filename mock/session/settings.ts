import { invalidRequest } from '../../common/http/api-error.ts';
import { REDACTED } from '../../common/text/redact.ts';
import { readBehaviour } from '../choices/behaviours.ts';
import { readSettingChanges, type SettingChanges, type Settings } from './setting-changes.ts';

/** Returns settings with some of them changed. @throws ApiError `invalid_request`, naming each change that is wrong. */
export function changeSettings(settings: Settings, changes: SettingChanges): Settings {
  const { behaviour, ...others } = readSettingChanges(changes);
  const changed = {
    ...settings,
    ...others,
    ...(behaviour !== undefined && { behaviour: readBehaviour(behaviour) }),
  };
  if (!changed.apiKeys.includes(REDACTED)) return changed;
  // Settings that were read may be written back.
  if (changed.apiKeys.every((key) => key === REDACTED)) return { ...changed, apiKeys: settings.apiKeys };
  throw invalidRequest(`The settings: ${REDACTED} is a redacted key. Send the keys themselves.`);
}

/** Returns settings as users see them. */
export function redactSettings({ now, apiKeys, behaviour }: Settings): Settings {
  const hidden = apiKeys.map(() => REDACTED);
  return { now: now && new Date(now), apiKeys: hidden, behaviour };
}
