import * as v from 'valibot';
import { readMembers } from '../../common/read-members.ts';
import type { Schema } from '../../common/schema.ts';
import { apiKeys, mustBe, TIME, time } from '../../common/schemas.ts';
import type { Difference } from '../choices/choices.ts';

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

const members = {
  now: v.optional(
    v.pipe(
      v.union([v.null(), time], mustBe(`${TIME}, or null for the real time`)),
      v.description('Fixed time of the mock: a date, or a time with its offset. null is the real time.'),
    ),
  ),
  apiKeys: v.optional(
    v.pipe(apiKeys, v.description('API keys to accept. A response has `[key]` instead of each key.')),
  ),
  behaviour: v.optional(
    v.pipe(
      v.any(),
      v.metadata({
        oneOf: [{ $ref: '#/components/schemas/Behaviour' }, { $ref: '#/components/schemas/BehaviourName' }],
        description:
          'Choices that differ from the default, or the name of a behaviour. It replaces the whole behaviour.',
      }),
    ),
  ),
};

export const settingChanges: Schema = v.pipe(
  v.object(members),
  v.title('SettingChanges'),
  v.description('Settings to change. Settings that are not given stay.'),
  v.metadata({ examples: [{ now: '2030-12-05', behaviour: { order: 'random' } }] }),
);

/** Checks the settings to change, but not the behaviour. @throws ApiError `invalid_request`, naming each that is wrong */
export function readSettingChanges(
  changes: unknown,
): Omit<Partial<Settings>, 'behaviour'> & { readonly behaviour?: unknown } {
  return readMembers('The settings', changes, members);
}
