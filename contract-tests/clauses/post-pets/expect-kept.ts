import { type JsonObject, printExactJson } from '../../../common/json/exact-json.ts';
import { escapeUnit } from '../../../common/text/harmless-text.ts';
import { NotApplicable, NotTested } from '../../client/clause-errors.ts';
import type { Exchange } from '../../client/exchange.ts';
import { showValue } from '../../client/show-value.ts';
import type { Addition } from '../../vocabulary/additions.ts';
import {
  addOfEachStatus,
  fetchAdded,
  noneAdded,
  ownAdditions,
  tryWithNew,
} from '../../vocabulary/additions.ts';
import type { Context } from '../../vocabulary/context.ts';
import { expectFields, isServerFault, trySome, wrongStatus } from '../../vocabulary/expectations.ts';
import { isStatus, LONGEST } from '../../vocabulary/list-parameters.ts';
import { listedBeforeAdding } from '../../vocabulary/lists.ts';
import { addAtOnce } from './add-at-once.ts';

/** Expects every added animal to be returned as it was sent; unusual names and categories are left to other clauses. */
export async function expectEcho(context: Context): Promise<void> {
  await addOfEachStatus(context);
  const category = await context.findCategory();
  const { exchanges: atOnce } = await context.once(addAtOnce);
  const isOfAtOnce = (exchange: Exchange) =>
    atOnce.some(({ request }) => request.body === exchange.request.body);
  const returned = context.additions.filter((exchange) => {
    const { name, categoryId, status } = exchange.sent;
    if (typeof name !== 'string' || typeof categoryId !== 'bigint') return false;
    const isPlainName = context.isUsualName(name) && /^[\w.-][\w .-]{0,98}[\w.-]$/.test(name);
    const isPlainCategory = categoryId === category && !hasNotation(exchange);
    const fields = [
      ...(isPlainName ? ['name'] : []),
      ...(isPlainCategory ? ['categoryId'] : []),
      ...(isStatus(status) ? ['status'] : []),
    ];
    // A value of an animal that was added at once is left to create-pet/unique-id.
    const isOwn = (field: string) => {
      const value = exchange.animal?.[field];
      return value === undefined || !atOnce.some(({ sent }) => sent[field] === value);
    };
    const own = isOfAtOnce(exchange) ? fields.filter(isOwn) : fields;
    return expectEchoed(context, exchange, own) !== undefined;
  });
  if (returned.length === 0) throw noneAdded(context, new NotTested(noneAccepted('animal')));
}

export async function expectStatuses(context: Context): Promise<void> {
  const additions = await addOfEachStatus(context);
  const isPlainAccepted = additions.some(({ status, posted }) => status === undefined && posted.isAddition);
  const check = async (addition: Addition) => {
    const { status, posted } = addition;
    if (status === undefined) return false;
    const isRefused = [400, 422].includes(posted.status);
    const request = { what: 'member', member: 'status', value: status } as const;
    if (isRefused && isPlainAccepted) throw wrongStatus(201, posted, {}, request);
    return expectKept(context, addition, 'status');
  };
  const nothing = noneAdded(context, new NotTested(noneAccepted('animal with a status')));
  await trySome(additions, nothing, (addition) => tryWithNew(context, addition, check));
}

export async function expectUnusualKept(context: Context, field: string): Promise<void> {
  const additions = (await context.once(addUnusual)).filter(({ fields }) => fields.includes(field));
  const nothing = noneAdded(context, new NotApplicable(noneAccepted(`such ${field}`)));
  await trySome(additions, nothing, (addition) => expectKept(context, addition, field));
}

/**
 * Expects every categoryId of a kind to be accepted, if a positive one is that no animal is likely to have: a service that
 * knows its categories would refuse it.
 */
export async function expectAnyCategory(context: Context, isMeant: (id: bigint) => boolean): Promise<void> {
  const additions = (await context.once(addUnusual)).filter(({ categoryId }) => categoryId !== undefined);
  const animals = [...listedBeforeAdding(context).values()];
  const known = new Set(animals.map(({ categoryId = null }) => categoryId));
  const taken = additions.filter(
    ({ posted, categoryId = 0n }) => posted.isAddition && categoryId > 0n && !known.has(categoryId),
  );
  const madeUp = makeUpCategories(context);
  const ordinary = additions.filter(({ categoryId = 0n }) => madeUp.includes(categoryId));
  const isAnyOrdinary = ordinary.length > 0 && ordinary.every((addition) => taken.includes(addition));
  // No list of known categories has one beyond 32 bits by chance.
  const isHuge = (categoryId: bigint) => BigInt.asIntN(32, categoryId) !== categoryId;
  const proof = isAnyOrdinary ? ordinary : taken.filter(({ categoryId = 0n }) => isHuge(categoryId));
  if (proof.length === 0)
    throw noneAdded(context, new NotApplicable('the deployment refuses unknown categories'));
  const accepted = proof.map(({ categoryId }) => String(categoryId));
  const meant = additions.filter(({ categoryId = 0n }) => isMeant(categoryId));
  for (const { categoryId, posted } of meant) {
    context.compare(posted);
    const isRefused = [400, 404, 409, 422].includes(posted.status);
    if (!isRefused && !isServerFault(posted, context.target)) continue;
    const request = { what: 'member', member: 'categoryId', value: String(categoryId), accepted } as const;
    throw wrongStatus(201, posted, { before: proof.map((one) => one.posted) }, request);
  }
}

function noneAccepted(what: string): string {
  return `the deployment accepted no ${what}, which may conform`;
}

/** Expects an animal, if it was accepted, to be returned as it was sent. @returns undefined when it was refused */
function expectEchoed(
  context: Context,
  exchange: Exchange,
  fields: readonly string[],
): JsonObject | undefined {
  const { isAddition, animal, sent } = exchange;
  if (!isAddition || animal === undefined) return undefined;
  const given = fields.filter((field) => sent[field] !== undefined);
  expectFields(context, exchange, [sent, animal], given, 'other record', []);
  return animal;
}

/** Expects an animal, if it was accepted, to be returned and kept as it was sent. @returns whether it was accepted */
async function expectKept(context: Context, addition: Addition, field: string): Promise<boolean> {
  const { posted, fetched } = addition;
  if (isServerFault(posted, context.target)) {
    const value = posted.shorten(showValue(posted.sent[field]));
    const asBody = { what: 'body', body: posted.shorten(posted.request.body ?? '') } as const;
    const asMember = { what: 'member', member: field, value } as const;
    throw wrongStatus('201 or 4xx', posted, {}, hasFurther(posted) ? asBody : asMember);
  }
  const pet = expectEchoed(context, posted, [field]);
  if (typeof pet?.id !== 'bigint' || !ownAdditions(context).has(pet.id)) return pet !== undefined;
  const { sent } = posted;
  // Wrong and unknown ids are left to get-pet/*, and other animals to create-pet/unique-id.
  const isOther = fetched?.animal?.id !== pet.id || (field !== 'name' && fetched.animal.name !== sent.name);
  if (fetched?.animal !== undefined && !isOther && sent[field] !== undefined)
    expectFields(context, fetched, [sent, fetched.animal], [field], 'by its id');
  return true;
}

/** The beginning of what is sent in two parts: a server that decodes each by itself loses a letter. */
const IN_TWO_PARTS = 'Zoë';

/** Endings of names, each with much of one kind that might get lost. */
const endings = [
  'Zoë Łukasz Ñandú ß ı 猫のミケ כלב كلب 한 \u1112\u1161\u11ab e\u0301 vs é ﬁ½ \ue000',
  '🐈‍⬛ 👋🏽 ❤\ufe0f',
  'Salt & Pepper',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template engine would replace it.
  '<b>"Rex" & \'Co\'</b> \\ \\n \\u0041 / %% %s + $& ${x} {{x}} &amp; &eacute; &#65; # | ... _a_ **b** ’ “c” …',
  // A firewall may refuse these.
  "O'Brien <script>alert(1)</script> ' OR 1=1; DROP TABLE pets; -- ../../etc/passwd %41",
  ' two  spaces, no\u00a0break \u00a0 ',
  'line\nbreak\ttab, carriage\r\nreturn, control \u0001 \u0000 \u007f \u0085 characters',
  'soft\u00adhyphen \u200b \u2028 \u2066 \ufffe \ufeff',
  `long ${'x'.repeat(300)}`,
  `longer ${'x'.repeat(5000)}`,
  'escaped 🐈 é',
  // UTF-8 has no half of a surrogate pair: it is refused, or replaced by another character.
  'half \ud800',
  // What a filter may mask or rewrite.
  'rex@example.com, +1 555 0100, 4111 1111 1111 1111',
  'https://example.com/rex?a=1&b=2 "Rex" \'Rex\' (c) -- www.example.com ... ',
] as const;

/** Further members of an animal, of which two are names that every object of JavaScript has. */
const FURTHER = '"nickname":"Rexi","__proto__":{},"constructor":1';

function hasFurther({ sent }: Exchange): boolean {
  return 'nickname' in sent;
}

/** Names that a store or a data format may take for something else than a string. */
const wholeNames = [
  ...['007', '1e3', '123', 'true', 'null', '', '0'],
  ...['NULL', '-0', '0x1F', '1.50', '=1+1', '12:30'],
  ...['2030-01-31', '2030-01-31T00:00:00Z', '   ', 'NaN', '{}'],
  ...['undefined', 'constructor', '__proto__'],
] as const;

/** The least made-up categories; a float of 32 bits cannot hold the second, nor the next ones by even numbers. */
const leastMadeUp = [57n, 16_777_217n];

const int64s = [
  ...[0n, -1n, 3_000_000_000n, 2n ** 63n - 1n, -(2n ** 63n)],
  // A double, or 32 bits, cannot hold these.
  ...[2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 32n + 1n],
];

function makeUpCategories(context: Context): bigint[] {
  const known = new Set([...listedBeforeAdding(context).values()].map(({ categoryId }) => categoryId));
  return leastMadeUp.map((least) => {
    let category = least;
    while (known.has(category)) category += 2n;
    return category;
  });
}

async function addUnusual(context: Context) {
  await addOfEachStatus(context);
  const known = await context.findCategory();
  const unusual = endings.map((ending) => context.nameFor(ending));
  const names = [...wholeNames, ...unusual, ` ${context.nameFor('after a space')}`];
  // RFC 8259 has one kind of number, so that these are integers too.
  const notations = ['1e2', '10e1', '120e-1', `${known}.0`];
  const categories = [...makeUpCategories(context), ...int64s, ...notations];
  const added: Awaited<ReturnType<typeof addOne>>[] = [];
  for (const [index, name] of names.entries()) {
    const category = categories[index];
    const add = (fields: readonly string[], one: string, value = category ?? known) =>
      addOne(context, fields, one, value);
    const both = category === undefined ? undefined : await add(['name', 'categoryId'], name);
    // A 2xx that is no 201 refuses neither of them.
    if (both?.posted.isSuccess) {
      added.push(both);
    } else {
      added.push(await add(['name'], name, known));
      if (category !== undefined) added.push(await add(['categoryId'], context.nameFor('int64')));
    }
    // On a short page it is soon replaced by the next ones.
    const isLarge = typeof category === 'bigint' && !Number.isSafeInteger(Number(category));
    if (isLarge) await context.get(`/pets${LONGEST}&status=sold`);
  }
  added.push(await addOne(context, ['name'], context.nameFor('further'), known, FURTHER));
  return added;
}

/** Is replaced by a category, since an integer may have any notation. */
const PLACEHOLDER = 7_777_777_777n;

/** @param fields that the exchange is about: a refusal may be for the other one */
async function addOne(
  context: Context,
  fields: readonly string[],
  name: string,
  category: bigint | string,
  further?: string,
) {
  // Sold animals stay in a list where other clauses see them.
  const status = name.length > 1000 ? {} : { status: 'sold' };
  const print = name.includes('escaped') ? printUnusualJson : printExactJson;
  const pet = print({ name, categoryId: PLACEHOLDER, ...status });
  const body = pet.replace(`${PLACEHOLDER}`, `${category}`);
  const isInTwoParts = name.includes(IN_TWO_PARTS);
  const sent = further === undefined ? body : body.replace(/\}$/, `,${further}}`);
  const posted = await context.post(sent, { isInTwoParts });
  // Undefined if something else can have been refused.
  const isMeant = fields.includes('categoryId') && typeof category === 'bigint';
  const categoryId = isMeant ? category : undefined;
  return { posted, fetched: await fetchAdded(context, posted), fields, categoryId };
}

export function printUnusualJson(pet: JsonObject): string {
  const lines = Object.entries(pet).map(([key, one]) => `  ${printExactJson(key)} : ${printExactJson(one)}`);
  return `\n{\n${lines.join(' ,\n')}\n}\n`.replaceAll(/[^\0-\x7f]|(?<= ")n(?=ame" :)/g, escapeUnit);
}

/** Returns whether the categoryId of a body is written as in 1.0 or 1e2. */
function hasNotation({ request }: Exchange): boolean {
  return /"categoryId"\s*:\s*-?\d+[.eE]/.test(request.body ?? '');
}
