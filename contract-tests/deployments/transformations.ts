import { type ExactJson, isJsonObject, type JsonObject } from '../../common/json/exact-json.ts';
import { type ChangeReply, change, changeJson } from './changes.ts';
import type { CreateAnswer } from './deployment.ts';
import type { IsAnswered, IsListMeant, IsMeant } from './messages.ts';
import { isCreation, isFetch, isList, isListOf } from './messages.ts';
import { answered, createError, sendAs } from './replies.ts';
import { alter, asDouble, drop, readJson, set } from './values.ts';

type Rows<Row> = Readonly<Record<string, Row>>;

const listed = (isMeant: IsListMeant, status = 200) => answered(status, isListOf(isMeant));

const lists: Rows<IsAnswered> = { 'a list': listed((limit, status) => limit !== null && status === null) };

const otherLists: Rows<IsAnswered> = {
  'a list by status': listed((_, status) => status !== null),
  'a list without limit': listed((limit, status) => limit === null && status === null),
};

const [added, found] = [answered(201, isCreation), answered(200, isFetch)];
const animals: Rows<IsAnswered> = { 'an added animal': added, 'an animal by its id': found };

const errors: Rows<IsAnswered> = {
  'an unknown id': answered(404, isFetch),
  'an invalid body': answered(400, isCreation),
  'an invalid limit': listed((limit) => limit !== null, 400),
  'an unknown status': listed((limit) => limit === null, 400),
  'a list without the key': answered(401, isList),
  'an addition without the key': answered(401, isCreation),
  'a request by id without the key': answered(401, isFetch),
};

/** Changes the object in a body, or the first one of a list. */
function changeObject(toValue: (object: JsonObject) => ExactJson): ChangeReply {
  return changeJson<ExactJson>((value) => {
    const [first, ...others] = Array.isArray(value) ? (value as readonly ExactJson[]) : [];
    if (first !== undefined && isJsonObject(first)) return [toValue(first), ...others];
    return isJsonObject(value) ? toValue(value) : value;
  });
}

const forAll: Rows<ChangeReply> = {
  'with status 500': () => createError(500),
  'with a page': sendAs('text/html', '<h1>Hello</h1>'),
  'as plain text': sendAs('text/plain'),
  'without its end': ({ body }) => ({ body: String(body).slice(0, -1) }),
};

const forSuccesses: Rows<ChangeReply> = {
  'with status 203': () => ({ status: 203 }),
  'with status 404': () => createError(404),
  'in an envelope': changeJson((data) => ({ data })),
};

const forLists: Rows<ChangeReply> = {
  empty: changeJson(() => []),
  'without its first animal': changeJson<readonly ExactJson[]>((list) => list.slice(1)),
  'with its first animal twice': changeJson<readonly ExactJson[]>((list) => [...list.slice(0, 1), ...list]),
  'with null for its first animal': changeJson<readonly ExactJson[]>((list) => [null, ...list.slice(1)]),
};

const forAnimals: Rows<ChangeReply> = {
  'without an id': changeObject(drop('id')),
  'with a string for the id': changeObject(alter('id', String)),
  'with an id beyond int64': changeObject(set({ id: 2n ** 63n })),
  'with another id': changeObject(alter('id', (id) => (id as bigint) + 1n)),
  'without a name': changeObject(drop('name')),
  'with another name': changeObject(alter('name', (name) => `${name}!`)),
  'with a string for the categoryId': changeObject(alter('categoryId', String)),
  'with another categoryId': changeObject(set({ categoryId: 0n })),
  'without a status': changeObject(drop('status')),
  'with null for the status': changeObject(alter('status', () => null)),
  'with the status in upper case': changeObject(alter('status', (status) => String(status).toUpperCase())),
};

/** For lists whose animals are compared with other lists. */
const forOtherLists: Rows<ChangeReply> = Object.fromEntries(
  Object.entries(forAnimals).filter(([how]) => /another (?:id|name)$|without a status/.test(how)),
);

const forErrors: Rows<ChangeReply> = {
  'with status 200': ({ body }) => ({ status: 200, body }),
  'with status 409': () => createError(409),
  'without a code': changeObject(drop('code')),
  'with null for the message': changeObject(set({ message: null })),
  'with another status in the body': changeObject(set({ status: 418n })),
};

/** Values of Authorization that are wrong, or have the key in a wrong form. */
const keys: Rows<RegExp> = {
  'without a key': /^$/,
  'with an empty key': /^Bearer ?$/,
  'with any key': /^Bearer ./,
  'with a longer key': /^Bearer test-key\w/,
  'with the key alone': /^test-key$/,
  'with another scheme': /^(?!Bearer)\w+ test-key$/i,
};

const operations: Rows<IsMeant> = { lists: isList, adds: isCreation, returns: isFetch };

const queries: Rows<CreateAnswer> = {
  'ignores limit': change.query((limit) => limit !== null, { limit: null }),
  'ignores limit next to a status': change.query((limit, status) => limit && status, { limit: null }),
  'ignores status': change.query((_, status) => status !== null, { status: null }),
  'ignores the status sold': change.query((_, status) => status === 'sold', { status: null }),
  'takes pending for sold': change.query((_, status) => status === 'pending', { status: 'sold' }),
  'lists 19 animals without limit': change.query((limit) => limit === null, { limit: '19' }),
  'lists 21 animals without limit': change.query((limit) => limit === null, { limit: '21' }),
};

/** Accepts a body with a wrong value of a member, and keeps another value. */
function accept(member: string, isWrong: (value?: ExactJson) => boolean, kept: ExactJson): CreateAnswer {
  return change.sent((sent) => (isWrong(sent[member]) ? { ...sent, [member]: kept } : sent));
}

const isOther = (type: string) => (value?: ExactJson) => value !== undefined && typeof value !== type;
const keepName = (toKept: (name: string) => string) =>
  change.sent(alter('name', (name) => (typeof name === 'string' ? toKept(name) : name)));
const statuses: readonly (ExactJson | undefined)[] = ['available', 'pending', 'sold', undefined];
const rex = '{"name":"Rex","categoryId":1}';

const bodies: Rows<CreateAnswer> = {
  'adds animals without a name': accept('name', (name) => name === undefined, 'Rex'),
  'adds animals without a categoryId': accept('categoryId', (id) => id === undefined, 1n),
  'adds animals with null for a name': accept('name', (name) => name === null, ''),
  'adds animals with another type for a name': accept('name', isOther('string'), 'Rex'),
  'adds animals with another type for a categoryId': accept('categoryId', isOther('bigint'), 1n),
  'adds animals with any status': accept('status', (status) => !statuses.includes(status), 'sold'),
  'adds an animal for an empty body': change.body((body) => body || rex),
  'adds an animal for malformed JSON': change.body((body) => (readJson(body) === undefined ? rex : body)),
  'keeps names in upper case': keepName((name) => name.toUpperCase()),
  'keeps names without space around': keepName((name) => name.trim()),
  'keeps categoryIds as doubles': change.sent(alter('categoryId', asDouble)),
  'keeps no status': change.sent((sent) => (statuses.includes(sent.status) ? drop('status')(sent) : sent)),
};

function combine(kinds: Rows<IsAnswered>, ...changes: readonly Rows<ChangeReply>[]) {
  return Object.entries(kinds).flatMap(([kind, isMeant]) =>
    Object.entries(Object.assign({}, ...changes) as Rows<ChangeReply>).map(
      ([how, toReply]) => [`answers ${kind} ${how}`, change.reply(isMeant, toReply)] as const,
    ),
  );
}

/** Defects that change the mock in one way each, whatever animals it has. */
export const transformations: Rows<CreateAnswer> = Object.fromEntries([
  ...combine(lists, forAll, forSuccesses, forLists, forAnimals),
  ...combine(otherLists, forAll, forSuccesses, forLists, forOtherLists),
  ...combine(animals, forAll, forSuccesses, forAnimals),
  ...combine(errors, forAll, forErrors),
  ...Object.entries(operations).flatMap(([does, isMeant]) =>
    Object.entries(keys).map(([how, key]) => [`${does} animals ${how}`, change.key(isMeant, key)] as const),
  ),
  ...Object.entries(queries),
  ...Object.entries(bodies),
]);
