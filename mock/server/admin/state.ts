import { hash } from 'node:crypto';
import * as v from 'valibot';
import { type ExactJson, printExactJson } from '../../../common/json/exact-json.ts';
import type { Fault } from '../../faults/faults.ts';
import * as schemas from '../../session/control-schemas.ts';
import { objectOf } from '../../session/object-of.ts';
import type { Session } from '../../session/session.ts';
import type { Sessions } from '../../session/sessions.ts';
import type { Settings } from '../../session/setting-changes.ts';

interface State {
  readonly startedAt: Date;
  readonly checkedUrl?: string;
  readonly animals: number;
  readonly storeVersion: number;
  readonly faults: readonly Fault[];
  readonly takesTestKey: boolean;
  readonly settings: Settings;
  readonly sessions: readonly SessionCount[];
  readonly lastRequest: number;
  readonly oldestRequest: number;
  readonly lastViolation: number;
  readonly oldestViolation: number;
  readonly version: string;
}

interface SessionCount {
  readonly name?: string;
  readonly requests: number;
}

export const state = v.pipe(
  objectOf<State>('The state of the mock or a session.', {
    startedAt: schemas.date('Ids start again if this changes.'),
    checkedUrl: v.optional(schemas.string('Base URL of the checked proxy, once it is listening.')),
    animals: schemas.integer('Number of animals.'),
    storeVersion: schemas.integer('Changes with the animals.'),
    faults: schemas.faults,
    takesTestKey: schemas.boolean('True if the mock accepts the key `test-key`.'),
    settings: schemas.settings,
    sessions: schemas.list(
      'The mock itself, which has no name, and its sessions.',
      objectOf<SessionCount>('A session.', {
        name: v.optional(schemas.string('Name. Absent for the mock itself.')),
        requests: schemas.integer('Number of requests that it keeps.'),
      }),
    ),
    lastRequest: schemas.integer('Id of the latest request, or 0.'),
    oldestRequest: schemas.integer(
      'Id of the oldest request that is kept. If none is kept, the id of the next one.',
    ),
    lastViolation: schemas.integer('Id of the latest violation, or 0.'),
    oldestViolation: schemas.integer(
      'Id of the oldest violation that is kept. If none is kept, the id of the next one.',
    ),
    version: schemas.string(
      'Changes with animals, faults, settings and snapshots, and if requests or violations are removed.',
    ),
  }),
  v.title('State'),
);

export function describeState(session: Session, all: Sessions): State {
  const { startedAt, store, plugins, checkedUrl } = session;
  const { journal, faults, violations } = plugins;
  const takesTestKey = session.settings.apiKeys.includes('test-key');
  const state = {
    startedAt,
    ...(checkedUrl !== undefined && { checkedUrl }),
    animals: store.size,
    storeVersion: store.version,
    faults: faults.list(),
    takesTestKey,
    settings: session.showSettings(),
  };
  const oldest = { oldestRequest: journal.oldestId, oldestViolation: violations.oldestId };
  const sessions = all.list().map(({ name, plugins: { journal: own } }) => {
    return { ...(name !== undefined && { name }), requests: own.lastId - own.oldestId + 1 };
  });
  const others = sessions.filter(({ name }) => name !== session.name);
  const compared = [state, session.snapshots(), oldest, others];
  const version = hash('sha1', printExactJson(compared as unknown as ExactJson), 'base64url');
  const latest = { lastRequest: journal.lastId, lastViolation: violations.lastId };
  return { ...state, sessions, ...oldest, ...latest, version };
}
