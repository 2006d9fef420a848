import { hash } from 'node:crypto';
import * as v from 'valibot';
import type { StateEvent } from '../../../common/http/stream-state.ts';
import type { JournalEntry } from '../../../common/journal/journal-entry.ts';
import type { JournalViolation } from '../../../common/journal/violation.ts';
import { type ExactJson, printExactJson } from '../../../common/json/exact-json.ts';
import type { Members } from '../../../common/schema.ts';
import type { Fault } from '../../faults/faults.ts';
import * as schemas from '../../session/control-schemas.ts';
import { objectOf } from '../../session/object-of.ts';
import type { Session } from '../../session/session.ts';
import type { Sessions } from '../../session/sessions.ts';
import type { Settings } from '../../session/setting-changes.ts';

/** The state of the mock or a session. */
interface State extends StateEvent {
  readonly startedAt: Date;
  readonly checkedUrl?: string;
  readonly animals: number;
  readonly storeVersion: number;
  readonly faults: readonly Fault[];
  readonly takesTestKey: boolean;
  readonly settings: Settings;
  readonly sessions: readonly SessionCount[];
  readonly oldestRequest: number;
  readonly oldestViolation: number;
}

interface SessionCount {
  readonly name?: string;
  readonly requests: number;
}

interface SessionEntry {
  readonly request: JournalEntry;
  readonly session?: string;
  readonly violations: readonly JournalViolation[];
}

const eventMembers: Members<StateEvent> = {
  lastRequest: schemas.integer('Id of the latest request, or 0.'),
  lastViolation: schemas.integer('Id of the latest violation, or 0.'),
  waitingRequests: schemas.integer('Number of requests that wait for their response.'),
  version: schemas.string(
    'Changes with animals, faults, settings and snapshots, and if requests or violations are removed.',
  ),
};

export const stateEvent = v.pipe(
  objectOf<StateEvent>('Ids and a version. A client compares them with what it has read.', eventMembers),
  v.title('StateEvent'),
);

export const state = v.pipe(
  objectOf<State>('The state of the mock or a session.', {
    ...eventMembers,
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
    oldestRequest: schemas.integer(
      'Id of the oldest request that is kept. If none is kept, the id of the next one.',
    ),
    oldestViolation: schemas.integer(
      'Id of the oldest violation that is kept. If none is kept, the id of the next one.',
    ),
  }),
  v.title('State'),
);

export const sessionEntries = schemas.list(
  'The requests.',
  v.pipe(
    objectOf<SessionEntry>('A request, with its session and its violations.', {
      request: schemas.journalEntry,
      session: v.optional(schemas.string('Name of the session. Absent for requests outside of sessions.')),
      violations: schemas.list('Violations of the request, as far as they are kept.', schemas.violation),
    }),
    v.title('SessionEntry'),
  ),
);

/** Describes a mock or a session, for its console and for other clients. */
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
  return { ...state, sessions, ...oldest, ...latest, waitingRequests: journal.waitingRequests, version };
}

/** Number of requests that the list of all sessions has. */
export const MOST_OF_ALL = 200;

/** Lists the latest requests of the mock and its sessions, each with its session and its violations. */
export function listAllRequests(sessions: Sessions): SessionEntry[] {
  const lists = sessions.list().map(({ name, plugins: { journal, violations }, checkedUrl }) => {
    const found = checkedUrl === undefined ? [] : violations.violations();
    const session = name !== undefined && { session: name };
    const byRequest = Map.groupBy(found, ({ request }) => request);
    return journal.requests({ limit: MOST_OF_ALL }).map((request) => {
      return { ...session, request, violations: byRequest.get(request.id) ?? [] };
    });
  });
  const all = lists.flat().sort((one, other) => one.request.time.getTime() - other.request.time.getTime());
  return all.slice(-MOST_OF_ALL);
}
