import { ApiError } from '../../common/api-error.ts';
import { readMembers } from '../../common/control/read-members.ts';
import { HIDDEN } from '../../common/hide-keys.ts';
import { readTime } from '../../common/real-time.ts';
import type { ValueKind } from '../../common/value-kinds.ts';
import type { ListOrder } from '../api/print-pets.ts';
import type { LimitPolicy } from '../api/validation.ts';
import { createRandom } from './create-random.ts';
import type { Secrets } from './create-secrets.ts';
import * as kinds from './setting-kinds.ts';

/** What may be changed while a mock runs; what is not given stays. */
export interface SettingChanges {
  /** The time of the mock, which then stands still unless `clock` is `'running'`; null is the real time. */
  readonly now?: Date | string | null;
  /** Whether the clock goes on from where it is, or stands still there. */
  readonly clock?: 'still' | 'running';
  /** The API keys to accept. */
  readonly apiKeys?: readonly string[];
  readonly limitPolicy?: LimitPolicy;
  /** The order of lists. */
  readonly order?: ListOrder;
}

/** What holds now. */
export interface Settings {
  readonly now: Date;
  readonly clock: 'still' | 'running';
  /** `[key]` for each. */
  readonly apiKeys: readonly string[];
  readonly limitPolicy: LimitPolicy;
  readonly order: ListOrder;
}

/** What a mock starts with. */
export interface InitialSettings {
  readonly seed: number;
  /** When the clock stands still. @default it runs */
  readonly now: Date | undefined;
  readonly apiKeys: readonly string[];
  readonly limitPolicy: LimitPolicy;
  readonly order: ListOrder;
}

/** The settings as the server reads them. */
export interface SettingSource {
  readonly apiKeys: readonly string[];
  readonly limitPolicy: LimitPolicy;
  readonly order: ListOrder;
  /** Whether the clock does not tell the real time. */
  readonly isClockMoved: boolean;
  /** How far a running clock is ahead of the real time, in milliseconds. */
  readonly clockOffset: number;
  now(): Date;
  /** Numbers from 0 up to 1 for lists in random order. */
  random(): number;
  read(): Settings;
  configure(changes: SettingChanges): Settings;
  /** Puts back what was there at the start. */
  reset(): void;
}

const changeKinds: Readonly<Record<keyof SettingChanges, ValueKind<unknown>>> = {
  now: {
    expected: `${kinds.time.expected}, or null for the real time`,
    isValid: (value): value is unknown =>
      value === null || kinds.time.isValid(kinds.parseTime(String(value))),
  },
  clock: kinds.clock,
  apiKeys: {
    ...kinds.apiKeys,
    expected: `an array of keys, each ${kinds.apiKeys.expected}`,
    isValid: (value): value is unknown =>
      Array.isArray(value) && value.length > 0 && value.every(kinds.apiKeys.isValid),
  },
  limitPolicy: kinds.limitPolicy,
  order: kinds.listOrder,
};

/** The changes as JSON has them. */
type WrittenChanges = Omit<SettingChanges, 'now'> & { readonly now?: string | null };

/** Creates the settings of a mock. @param secrets is told of new keys. */
export function createSettings(initial: InitialSettings, secrets: Secrets): SettingSource {
  const start = { apiKeys: initial.apiKeys, limitPolicy: initial.limitPolicy, order: initial.order };
  let values = start;
  let still = initial.now;
  let random = createRandom(initial.seed);
  // Of a running clock, in milliseconds.
  let offset = 0;
  const now = () => still ?? new Date(readTime() + offset);
  const read = (): Settings => ({
    now: new Date(now()),
    clock: still === undefined ? 'running' : 'still',
    ...values,
    apiKeys: values.apiKeys.map(() => HIDDEN),
  });
  const moveClock = (to: string | null | undefined, clock: Settings['clock'] | undefined) => {
    if (to === undefined && clock === undefined) return;
    const time = to === undefined ? now() : new Date(to ?? readTime());
    const isRunning = clock === 'running' || (clock === undefined && to === null);
    const ahead = isRunning && to !== null ? time.getTime() - readTime() : 0;
    // Settings that were read a moment ago do not move it.
    offset = Math.abs(ahead) < 1_000 ? 0 : ahead;
    still = isRunning ? undefined : time;
  };
  return {
    get apiKeys() {
      return values.apiKeys;
    },
    get limitPolicy() {
      return values.limitPolicy;
    },
    get order() {
      return values.order;
    },
    get clockOffset() {
      return offset;
    },
    get isClockMoved() {
      return still !== undefined || offset !== 0;
    },
    now,
    random: () => random(),
    read,
    configure(changes) {
      const given = readMembers<WrittenChanges>('The settings', changes, changeKinds);
      const { now: to, clock, ...others } = { ...given, ...keepHidden(given, values) };
      moveClock(to, clock);
      values = { ...values, ...others };
      secrets.add(values.apiKeys);
      return read();
    },
    reset() {
      values = start;
      still = initial.now;
      random = createRandom(initial.seed);
      offset = 0;
    },
  };
}

/** Keys that were read from the settings stand for those that there are. @throws ApiError where they cannot. */
function keepHidden({ apiKeys }: WrittenChanges, now: Pick<SettingChanges, 'apiKeys'>): WrittenChanges {
  if (!apiKeys?.includes(HIDDEN)) return {};
  if (apiKeys.length === now.apiKeys?.length && apiKeys.every((key) => key === HIDDEN)) return now;
  const message = `The settings: ${HIDDEN} stands for a key that is not told; give the keys themselves, or leave apiKeys out.`;
  throw new ApiError('invalid_request', message);
}
