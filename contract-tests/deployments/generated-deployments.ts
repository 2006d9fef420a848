import { type ExactJson, isJsonObject, type JsonObject } from '../../common/json/exact-json.ts';
import { type ChangeReply, change, changeJson } from './changes.ts';
import type { CreateAnswer } from './deployment.ts';
import type { IsAnswered, IsListMeant } from './messages.ts';
import { isCreation, isFetch, isList, isListOf } from './messages.ts';
import { answered, createError, sendAs } from './replies.ts';
import { alter, drop, set } from './values.ts';

type Rows<Row> = Readonly<Record<string, Row>>;

/** Changes the object in a body, or the first one of a list. */
function changeObject(toValue: (object: JsonObject) => ExactJson): ChangeReply {
  return changeJson<ExactJson>((value) => {
    const [first, ...others] = Array.isArray(value) ? (value as readonly ExactJson[]) : [];
    if (first !== undefined && isJsonObject(first)) return [toValue(first), ...others];
    return isJsonObject(value) ? toValue(value) : value;
  });
}

const forAll = {
  'with status 500': () => createError(500),
  'with a page': sendAs('text/html', '<h1>Hello</h1>'),
  'as plain text': sendAs('text/plain'),
  'without its end': ({ body }) => ({ body: String(body).slice(0, -1) }),
} satisfies Rows<ChangeReply>;

const forSuccesses = {
  ...forAll,
  'with status 203': () => ({ status: 203 }),
  'with status 404': () => createError(404),
  'in an envelope': changeJson((data) => ({ data })),
} satisfies Rows<ChangeReply>;

const forEachList = {
  ...forSuccesses,
  empty: changeJson(() => []),
  'without its first animal': changeJson<readonly ExactJson[]>((list) => list.slice(1)),
  'with its first animal twice': changeJson<readonly ExactJson[]>((list) => [...list.slice(0, 1), ...list]),
  'with null for its first animal': changeJson<readonly ExactJson[]>((list) => [null, ...list.slice(1)]),
} satisfies Rows<ChangeReply>;

/** Changes of an animal that a comparison with other lists shows. */
const forComparedAnimals = {
  'with another id': changeObject(alter('id', (id) => (id as bigint) + 1n)),
  'with another name': changeObject(alter('name', (name) => `${name}!`)),
  'without a status': changeObject(drop('status')),
} satisfies Rows<ChangeReply>;

const forAnimals = {
  ...forComparedAnimals,
  'without an id': changeObject(drop('id')),
  'with a string for the id': changeObject(alter('id', String)),
  'with an id beyond int64': changeObject(set({ id: 2n ** 63n })),
  'without a name': changeObject(drop('name')),
  'with a string for the categoryId': changeObject(alter('categoryId', String)),
  'with another categoryId': changeObject(set({ categoryId: 0n })),
  'with null for the status': changeObject(alter('status', () => null)),
  'with the status in upper case': changeObject(alter('status', (status) => String(status).toUpperCase())),
} satisfies Rows<ChangeReply>;

const forErrors = {
  ...forAll,
  'with status 200': ({ body }) => ({ status: 200, body }),
  'with status 409': () => createError(409),
  'without a code': changeObject(drop('code')),
  'with null for the message': changeObject(set({ message: null })),
  'with another status in the body': changeObject(set({ status: 418n })),
} satisfies Rows<ChangeReply>;

const listed = (isMeant: IsListMeant, status = 200) => answered(status, isListOf(isMeant));
const forLists = { ...forEachList, ...forAnimals };
const forOtherLists = { ...forEachList, ...forComparedAnimals };
const forOneAnimal = { ...forSuccesses, ...forAnimals };

interface Kind {
  readonly isMeant: IsAnswered;
  readonly changes: Rows<ChangeReply>;
}

/** Kinds of replies of the mock, each with the changes that make sense for it. */
const kinds = {
  'a list': { isMeant: listed((limit, status) => limit !== null && status === null), changes: forLists },
  'a list by status': { isMeant: listed((_, status) => status !== null), changes: forOtherLists },
  'a list without limit': {
    isMeant: listed((limit, status) => limit === null && status === null),
    changes: forOtherLists,
  },
  'an added animal': { isMeant: answered(201, isCreation), changes: forOneAnimal },
  'an animal by its id': { isMeant: answered(200, isFetch), changes: forOneAnimal },
  'an unknown id': { isMeant: answered(404, isFetch), changes: forErrors },
  'an invalid body': { isMeant: answered(400, isCreation), changes: forErrors },
  'an invalid limit': { isMeant: listed((limit) => limit !== null, 400), changes: forErrors },
  'an unknown status': { isMeant: listed((limit) => limit === null, 400), changes: forErrors },
  'a list without the key': { isMeant: answered(401, isList), changes: forErrors },
  'an addition without the key': { isMeant: answered(401, isCreation), changes: forErrors },
  'a request by id without the key': { isMeant: answered(401, isFetch), changes: forErrors },
} satisfies Rows<Kind>;

type KindName = keyof typeof kinds;

/** The changes that all of these kinds of replies have. */
type ChangeOf<Name extends KindName> = keyof (typeof kinds)[Name]['changes'] & string;

export const listKinds = ['a list', 'a list by status', 'a list without limit'] as const;

const unauthorizedKinds = [
  'a list without the key',
  'an addition without the key',
  'a request by id without the key',
] as const;

export const errorKinds = [
  'an unknown id',
  'an invalid body',
  'an invalid limit',
  'an unknown status',
  ...unauthorizedKinds,
] as const;

/** Creates a row for each change of each kind of reply, such as "answers a list without an id". */
export function answering<Name extends KindName>(
  names: readonly Name[],
  changes: readonly ChangeOf<Name>[],
): Rows<CreateAnswer> {
  const rows = names.flatMap((name) => {
    const kind: Kind = kinds[name];
    return changes.map((how) => {
      const toReply = kind.changes[how];
      if (toReply === undefined) throw new Error(`${name} has no change "${how}".`);
      return [`answers ${name} ${how}`, change.reply(kind.isMeant, toReply)] as const;
    });
  });
  return Object.fromEntries(rows);
}

/** Values of Authorization that are wrong, or have the key in a wrong form. */
const keys = {
  'without a key': /^$/,
  'with an empty key': /^Bearer ?$/,
  'with any key': /^Bearer ./,
  'with a longer key': /^Bearer test-key\w/,
  'with the key alone': /^test-key$/,
  'with another scheme': /^(?!Bearer)\w+ test-key$/i,
} as const;

/** What an operation does with animals. */
const operations = { lists: isList, adds: isCreation, returns: isFetch } as const;

/** Creates a row for each wrong key that an operation accepts, such as "lists animals without a key". */
export function accepting(
  does: keyof typeof operations,
  ...wrong: readonly (keyof typeof keys)[]
): Rows<CreateAnswer> {
  const rows = wrong.map(
    (how) => [`${does} animals ${how}`, change.key(operations[does], keys[how])] as const,
  );
  return Object.fromEntries(rows);
}

const namesOf = <Name extends string>(rows: Readonly<Record<Name, unknown>>) => Object.keys(rows) as Name[];

/** All combinations, by name: each is a row under the clause that it breaks, or stands in verdicts.txt. */
export const generatedDeployments: Rows<CreateAnswer> = Object.assign(
  {},
  ...namesOf(kinds).map((name) => answering([name], namesOf<ChangeOf<typeof name>>(kinds[name].changes))),
  ...namesOf(operations).map((does) => accepting(does, ...namesOf(keys))),
);
