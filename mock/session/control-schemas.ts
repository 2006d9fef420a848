import * as v from 'valibot';
import type { KeyName } from '../../common/journal/journal-entry.ts';
import {
  type BodyState,
  type JournalAnswer,
  type JournalEntry,
  LONGEST_SHOWN,
} from '../../common/journal/journal-entry.ts';
import { operations } from '../../common/journal/operation-name.ts';
import type { JournalViolation } from '../../common/journal/violation.ts';
import { parseInt64 } from '../../common/json/int64.ts';
import type { Pet } from '../../common/json/pet.ts';
import type { Difference } from '../choices/choices.ts';
import { faultMembers } from '../faults/fault-options.ts';
import type { Fault } from '../faults/faults.ts';
import { untilMembers } from '../journal/filter.ts';
import { listMembers, waitMembers } from '../journal/match-request.ts';
import { objectOf } from './object-of.ts';
import type { ProfileSummary, RestoreOptions } from './session.ts';
import { NAME_PATTERN } from './session-name.ts';
import type { Settings } from './setting-changes.ts';

// What the calls of the control API take and give, as JSON has it. The client of another process reads results with these
// schemas. A description comes before a transformation, because the document describes what is sent.

export const string = (about: string) => v.pipe(v.string(), v.description(about));
export const boolean = (about: string) => v.pipe(v.boolean(), v.description(about));
export const number = (about: string) => v.pipe(v.number(), v.description(about));
export const integer = (about: string) => v.pipe(v.number(), v.integer(), v.description(about));
export const list = <Item extends v.GenericSchema>(about: string, item: Item) =>
  v.pipe(v.array(item), v.description(about));
const texts = (about: string) => v.pipe(v.record(v.string(), v.string()), v.description(about));
export const date = (about: string) =>
  v.pipe(
    v.string(),
    v.isoTimestamp(),
    v.description(about),
    v.transform((text) => new Date(text)),
  );

/** Creates the schema of a value for which the document has a schema of another source. */
const refer = <Value>(name: string) =>
  v.pipe(
    v.custom<Value>(() => true),
    v.metadata({ $ref: `#/components/schemas/${name}` }),
  );

export const name = v.pipe(
  v.string(),
  v.metadata({ pattern: NAME_PATTERN.source, examples: ['w1'] }),
  v.description('1 to 64 letters, digits, `.`, `_` and `-`, not only dots.'),
);

export const profileName = v.pipe(string('Name of a profile.'), v.metadata({ examples: ['default'] }));

/** A string that is no int64 stays a string, which the method refuses. */
export const animalId = v.pipe(
  v.custom<string>(() => true),
  v.metadata({ type: 'integer', format: 'int64', examples: [1], description: 'Id of an animal.' }),
  v.transform((text) => parseInt64(text) ?? text),
);

/** A string that is no id stays a string, which the method refuses. */
export const faultId = v.pipe(
  v.custom<string>(() => true),
  v.metadata({ type: 'integer', minimum: 1, examples: [1], description: 'Id of a fault.' }),
  v.transform((text) => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : text)),
);

export const until = v.object(untilMembers);
export const listFilter = v.object(listMembers);
export const waitFilter = v.object(waitMembers);

export const restoreOptions = objectOf<RestoreOptions>('Options of a restore.', {
  unchangedSince: v.optional(
    string('Name of another snapshot. Nothing is restored if the animals have changed since that snapshot.'),
  ),
});

export const newAnimal = refer<unknown>('NewAnimal');
export const newAnimals = list('The animals.', newAnimal);

/** Ids are bigints, which JSON does not have. */
export const animal = v.pipe(
  refer<Readonly<Record<string, unknown>>>('Animal'),
  v.transform((members) => {
    const exact = Object.entries(members).map(([member, value]) => {
      return [member, typeof value === 'number' ? BigInt(value) : value];
    });
    return Object.fromEntries(exact) as Pet;
  }),
);
export const animals = list('The animals.', animal);

export const profiles = list(
  'The profiles.',
  v.pipe(
    objectOf<ProfileSummary>('A set of generated animals.', {
      name: string('Name.'),
      animals: integer('Number of animals.'),
      purpose: string('Purpose of the animals, in a few words.'),
    }),
    v.title('Profile'),
  ),
);

export const settings = v.pipe(
  objectOf<Settings>('Current settings.', {
    now: v.pipe(v.nullable(date('A time.')), v.description('Fixed time of the mock. null is the real time.')),
    apiKeys: list('`[key]` for each API key that the mock accepts.', v.string()),
    behaviour: refer<Difference>('Behaviour'),
  }),
  v.title('Settings'),
  v.metadata({
    examples: [{ now: '2030-12-05T00:00:00.000Z', apiKeys: ['[key]'], behaviour: { order: 'oldest' } }],
  }),
);

export const fault = v.pipe(
  objectOf<Fault>('An active fault.', {
    id: integer('Id of the fault.'),
    ...faultMembers,
    used: integer('Number of requests that the fault was applied to.'),
    held: v.optional(integer('Number of requests that the fault holds now. Absent without `hold`.')),
  }),
  v.title('Fault'),
  v.metadata({ examples: [{ id: 1, operation: 'listPets', status: 503, times: 2, used: 1 }] }),
);
export const faults = list('The faults.', fault);

const operation = v.optional(
  v.pipe(v.picklist(operations), v.description('Operation of the service. Absent for other requests.')),
);

const body = v.optional(
  string(`Body as text, up to ${LONGEST_SHOWN / 1024} KiB. Absent if it may quote a part of a key.`),
);

const bodyStates: readonly BodyState[] = ['cut', 'not kept', 'decoded', 'not text'];
const bodyState = v.optional(
  v.pipe(
    v.picklist(bodyStates),
    v.description('How the shown body differs from the received body. Absent if it is the same.'),
  ),
);

const answer = objectOf<JournalAnswer>(
  'The response. Absent while the request waits, and if the connection was reset.',
  {
    headers: texts('Headers by name, except headers that Node and CORS add.'),
    body,
    bodyState,
    status: v.optional(integer('Status of the upstream response, if the client received another one.')),
  },
);

export const journalEntry = v.pipe(
  objectOf<JournalEntry>('A request and its response. Keys are redacted.', {
    id: integer('Id of the request. Later requests have larger ids.'),
    time: date('Arrival of the request.'),
    operation,
    method: string('Method.'),
    url: string('Path and query, as received.'),
    headers: texts('Headers by lower-case name. Repeated headers are joined by commas.'),
    key: v.optional(
      v.pipe(
        v.custom<KeyName>((value) => typeof value === 'string'),
        v.metadata({ type: 'string', pattern: '^(key [1-9][0-9]*|unknown|none)$' }),
        v.description(
          'Which key the request had: `key 1` is the first one of `apiKeys` at its arrival, `unknown` another key, and `none` no header Authorization.',
        ),
      ),
    ),
    isChecked: boolean('True if the request came through the checked proxy.'),
    body,
    bodyState,
    status: v.optional(
      integer(
        'Status of the response. Absent while the request waits, if the connection was reset, or if the client left.',
      ),
    ),
    error: v.optional(
      string(
        'Code of the Error in the response, or of what a fault did to the response: `connection_reset`, `response_replaced`, `response_truncated` or `response_lost`.',
      ),
    ),
    fault: v.optional(
      integer('Id of the fault that replaced or broke the response. Absent for other responses.'),
    ),
    hint: v.optional(string('Advice about the error, which the response does not have. Absent without one.')),
    ms: v.optional(
      number(
        'Duration until the response, in milliseconds. Absent while the request waits for its response.',
      ),
    ),
    answer: v.optional(answer),
  }),
  v.title('JournalEntry'),
);
export const journalEntries = list('The matching requests. Keys are redacted.', journalEntry);

export const count = v.pipe(
  v.object({ count: integer('Number of requests.') }),
  v.description('The number.'),
  v.metadata({ examples: [{ count: 3 }] }),
  v.transform((counted) => counted.count),
);

export const violation = v.pipe(
  objectOf<JournalViolation>('A difference between an exchange and the contract. Keys are redacted.', {
    id: integer('Id of the violation. Later violations have larger ids.'),
    time: date('Arrival of the request.'),
    request: v.optional(
      integer('Id of the request in the journal. Absent if the journal no longer has the request.'),
    ),
    operation,
    method: string('Method.'),
    url: string('Path and query, as received.'),
    status: v.optional(integer('Status of the response. Absent if there is none.')),
    severity: v.pipe(
      v.picklist(['error', 'warning']),
      v.description(
        'A warning is a query parameter, a body member, a route or a status that is not in the contract.',
      ),
    ),
    location: list(
      'Exact place, such as `["response", "body", "2", "id"]`. For a missing member, the object that lacks it.',
      v.string(),
    ),
    place: string(
      'Place of the rule, such as `request.query.limit` or `response.body.*.id`. A missing member has its own place.',
    ),
    rule: string('Name of the rule, such as `maximum`, `required` or `list-pets/unique-ids`.'),
    expected: v.optional(
      string(
        'What the rule requires of the value, such as `100` for `maximum` or `integer` for `type`. Absent for other rules.',
      ),
    ),
    missing: v.optional(
      string('Name of the member that the object at the location lacks. Absent for other rules.'),
    ),
    message: string('Sentence for people.'),
    received: v.optional(
      string('Short form of the value at the place, such as `"abc"`. Absent if there is none.'),
    ),
    more: v.optional(
      integer('Number of further violations of the message that are not listed. Absent if all are.'),
    ),
  }),
  v.title('Violation'),
);
export const violations = list('The matching violations. Keys are redacted.', violation);

export const names = v.pipe(list('The names.', v.string()), v.metadata({ examples: [['one', 'two']] }));
