import { randomInt } from 'node:crypto';
import { type JsonObject, printExactJson } from '../../common/json/exact-json.ts';
import { escapeUnit } from '../../common/text/harmless-text.ts';
import { hasValidMembers, isValueOf } from '../history/member-values.ts';
import { listFilters } from './lists.ts';
import type { Added, Sender } from './sender.ts';

/** Adds an animal of each status and one of none, and looks at each of them and around it. */
export async function sendAnimals(sender: Sender): Promise<void> {
  // Sold animals first, since they stay as they are.
  await learnNames(sender);
  for (const status of [undefined, 'available', 'pending']) await addAndLookAround(sender, status);
}

async function addAndLookAround(sender: Sender, status: string | undefined): Promise<Added | undefined> {
  const added = await sender.addAndLook(sender.createPet('with or without', status));
  const id = added?.addition.shown?.id;
  if (id === undefined) return added;
  // The newest animal may be the first of a list, until another client adds one.
  await sender.get('/pets');
  // Perhaps the ids of a twin, and of the next animal: a 404 now must not be cached.
  if (!sender.history.isGetPetRemoved && status !== 'pending')
    for (const step of [-1n, 1n]) await sender.get(`/pets/${BigInt.asIntN(64, id + step)}`);
  return added;
}

/** Adds an animal. If its name is refused, other kinds of names are tried, such as a listed animal has. */
async function learnNames(sender: Sender): Promise<void> {
  const usual = await addAndLookAround(sender, 'sold');
  if (![400, 409, 422].includes(usual?.addition.exchange.status ?? 0)) return;
  const categoryId = sender.category;
  const examples = ['contract-test', 'Rexabcde', 'rexabcde', ...listNames(sender).slice(0, 1)];
  // With fewer letters two random names may be the same.
  for (const example of examples.filter((name) => name.replaceAll(/[^a-zA-Z0-9]/g, '').length >= 4)) {
    const exchange = await sender.post({ name: toSimilarName(example), categoryId, status: 'sold' });
    if (exchange?.isAddition !== true) continue;
    sender.makeName = () => toSimilarName(example);
    await addAndLookAround(sender, 'sold');
    return;
  }
  await learnShownNames(sender);
}

function listNames({ history }: Sender): readonly string[] {
  return [...history.animals.values()].flatMap(({ observations }) => {
    const name = observations[0]?.shown?.name;
    return typeof name === 'string' ? [name] : [];
  });
}

/** How many names of listed animals are tried. */
const MOST_SHOWN_NAMES = 3;

/** Adds animals with the names of listed ones, for a deployment that knows its names. It may refuse older ones. */
async function learnShownNames(sender: Sender): Promise<void> {
  const names: string[] = [];
  for (const pet of listOthers(sender).slice(0, MOST_SHOWN_NAMES)) {
    const exchange = await sender.post(pet);
    if (exchange?.isAddition === true) names.push(`${pet.name}`);
  }
  sender.shownNames = names;
  if (names.length > 0) await addAndLookAround(sender, 'sold');
}

/** Lists animals of others as they would be added: one of each name. */
function listOthers({ history: { animals, contract } }: Sender): readonly JsonObject[] {
  const byName = new Map<string, JsonObject>();
  for (const { observations } of animals.values()) {
    const shown = observations[0]?.shown ?? {};
    const valid = contract.newPet.filter((member) => isValueOf(member, shown[member.name]));
    const pet = Object.fromEntries(valid.map(({ name }) => [name, shown[name] ?? null]));
    if (!hasValidMembers(pet, contract.newPet) || typeof pet.name !== 'string' || byName.has(pet.name))
      continue;
    byName.set(pet.name, pet);
  }
  return [...byName.values()];
}

/** Makes a random name with the same kinds of letters as another one. */
function toSimilarName(name: string): string {
  const random = (first: string, most: number) => String.fromCharCode(first.charCodeAt(0) + randomInt(most));
  const toSimilar = (char: string) =>
    /\d/.test(char) ? random('0', 10) : random(char < 'a' ? 'A' : 'a', 26);
  return name.replaceAll(/[a-zA-Z\d]/g, toSimilar);
}

/** The statuses of the animals that are added at once, next to the twin of the first. */
const statusesTogether = ['sold', undefined, 'available', 'pending', 'sold', undefined] as const;

/**
 * Adds seven animals at the same time, each with another status and category, two of them alike, and requests lists meanwhile. Then it
 * adds one whose name differs from an earlier one in case only, and the twin twice more, the last time with another status.
 */
export async function sendTogether(sender: Sender): Promise<void> {
  const categories = listPlainCategories(sender);
  const pets = statusesTogether.map(
    (status, index): JsonObject => ({
      ...sender.createPet('at once', status),
      categoryId: categories[index % categories.length] ?? sender.category,
    }),
  );
  const [twin = sender.createPet('at once', 'sold')] = pets;
  const requests = [...pets, twin].map((pet) => ({
    method: 'POST',
    path: '/pets',
    body: printExactJson(pet),
    isTogether: true,
  }));
  const lists = ['?limit=100', '', '?limit=100&status=sold'].map((query) => ({ path: `/pets${query}` }));
  const [known] = sender.history.isGetPetRemoved ? [] : sender.history.animals.keys();
  const fetches = known === undefined ? [] : [{ path: `/pets/${known}` }];
  // Between the additions, so that each list, and an older animal, is requested while one of them is under way.
  const mixed = requests.flatMap((request, index) => [
    request,
    ...lists.slice(index % 3, (index % 3) + 1),
    ...fetches,
  ]);
  const sent = await Promise.all(mixed.map((request) => sender.send(request)));
  await sender.sendEach([
    ...lists,
    ...listFilters(sender).map((filter) => ({ path: `/pets?limit=100&${filter}` })),
  ]);
  const inOtherCase = `${twin.name}`.replace(/[a-z]+$/, (word) => word.toUpperCase());
  if (inOtherCase !== twin.name && sender.shownNames.length === 0)
    sender.history.marks.names.add(inOtherCase);
  await sender.addAndLook({ ...twin, name: inOtherCase });
  // A response to an earlier equal body must not be sent again, and a name is no key.
  await sender.addAndLook(twin);
  await sender.addAndLook({ ...twin, status: 'pending' });
  const added = sent.flatMap((exchange) =>
    exchange?.isAddition && exchange.id !== undefined ? [exchange.id] : [],
  );
  if (!sender.history.isGetPetRemoved)
    await sender.sendTogether(added.map((id) => ({ path: `/pets/${id}` })));
  await repeatFailed(sender);
}

/** Number of animals that are added alone if they got a 5xx at once. */
const MOST_REPEATED = 3;

/** Adds the animals alone that got a 5xx when they were added at once. */
async function repeatFailed(sender: Sender): Promise<void> {
  const failed = sender.history.additions.filter(
    ({ exchange }) =>
      exchange.request.isTogether === true && (exchange.status >= 500 || exchange.status === 0),
  );
  for (const { exchange } of failed.slice(0, MOST_REPEATED)) await sender.post(exchange.request.body ?? '');
}

/** Categories up to this one are exact in any type of numbers. */
const LARGEST_PLAIN = 2n ** 24n;

/** Lists categories that the deployment is known to have. */
function listPlainCategories(sender: Sender): readonly bigint[] {
  const shown = [...sender.history.animals.values()].flatMap(
    ({ addition }) => addition?.shown?.categoryId ?? [],
  );
  const plain = shown.filter((one) => typeof one === 'bigint' && one > 0n && one < LARGEST_PLAIN) as bigint[];
  return [...new Set([sender.category, ...plain])];
}

/** How an animal is sent if that is unusual too. */
interface AnimalOptions {
  /** True if the body is sent in two parts: a server that decodes each by itself loses a letter. */
  readonly isInTwoParts?: boolean;
  readonly mediaType?: string;
  /** What its name begins with. */
  readonly before?: string;
  readonly print?: (pet: JsonObject) => string;
}

/** Longer than the 255 characters that many stores have room for. */
const LONG = 'x'.repeat(300);

/** Endings of names, each with much of one kind that might get lost. */
const endings: readonly (readonly [ending: string, options?: AnimalOptions])[] = [
  [
    'Zoë Łukasz Ñandú ß ı 猫のミケ 𠮷 כלב كلب 한 \u1112\u1161\u11ab e\u0301 vs é ﬁ½ Ａ \ue000',
    { isInTwoParts: true },
  ],
  [
    '🐈‍⬛ 👋🏽 ❤\ufe0f o\u0308 with a charset',
    { mediaType: 'application/json; charset=utf-8', before: '\ufeff' },
  ],
  ['Salt & Pepper'],
  [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a template engine would replace it.
    '<b>"Rex" & \'Co\'</b> \\ \\n \\u0041 / %% %s + $& ${x} {{x}} &amp; &eacute; &#65; # | ... _a_ **b** ’ “c” … – — ٣ &#39; &quot; `d`',
  ],
  // A firewall may refuse these.
  ["O'Brien <script>alert(1)</script> ' OR 1=1; DROP TABLE pets; -- ../../etc/passwd %41"],
  [' two  spaces, no\u00a0break \u00a0 '],
  ['line\nbreak\ttab, control \b\f \u0001 \u0000 \u007f \u0085 characters'],
  ['carriage\r\nreturn\n', { before: '\n' }],
  ['soft\u00adhyphen a\u0300 \u200b \u2028 \u2066 \ufffe \ufeff'],
  [`longer ${'x'.repeat(5000)}`],
  ['escaped / 🐈 é, not sold, not available, not pending', { print: printUnusualJson }],
  // UTF-8 has no half of a surrogate pair: it is refused, or replaced by another character.
  ['half \ud800'],
  // What a filter may mask or rewrite.
  ['rex@example.com, phone: +1 555 0100 <3, 4111 1111 1111 1111'],
  ['https://example.com/rex?a=1&b=2 "Rex" \'Rex\' (c) -- www.example.com ... '],
];

/** Ends of one name that a store may take for the same, since it compares the first 255 characters, or by an old collation. */
const alikeEndings = [`🐈e${LONG}`, `🐕e${LONG}`, `🐈é${LONG}`, `🐈e${LONG}.`];

/** Names that a store or a data format may take for something else than a string. */
const wholeNames = [
  ...['007', '1e3', 'true', 'null', '', '0'],
  ...['NULL', '0x1F', '123', '=1+1', '12:30'],
  ...['2030-01-31', '2030-01-31T00:00:00Z', '   ', 'NaN', '{}'],
  ...['undefined', 'constructor', '__proto__', 'yes', '"Rex"'],
] as const;

/** The least made-up categories; a float of 32 bits cannot hold the second, nor the next ones by even numbers. */
const leastMadeUp = [57n, 16_777_217n];

const int64s = [
  ...[0n, -1n, 3_000_000_000n, 2n ** 63n - 1n, -(2n ** 63n)],
  // A double, or 32 bits, cannot hold these.
  ...[2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 32n + 1n],
];

/** Lists categories that no animal had before the run. */
export function makeUpCategories(known: ReadonlySet<unknown>): bigint[] {
  return leastMadeUp.map((least) => {
    let category = least;
    while (known.has(category)) category += 2n;
    return category;
  });
}

/** Adds animals with names and categories that might get lost, and looks at each of them. */
export async function sendUnusualAnimals(sender: Sender): Promise<void> {
  const known = sender.category;
  const ofOthers = new Set(listOthers(sender).map(({ categoryId }) => categoryId));
  // RFC 8259 has one kind of number, so that these are integers too.
  const notations = ['1e2', '10e1', '120e-1', `${known}.0`];
  const categories = [...makeUpCategories(ofOthers), ...int64s, ...notations];
  for (const [index, name] of wholeNames.entries()) {
    const category = categories[index];
    const both = await addOne(sender, name, category ?? known);
    if (both?.addition.exchange.isSuccess === false && category !== undefined) {
      await addOne(sender, name, known);
      await addOne(sender, sender.nameFor('int64'), category);
    }
    // On a short page it is soon replaced by the next ones.
    const isLarge = typeof category === 'bigint' && !Number.isSafeInteger(Number(category));
    if (isLarge) await sender.get('/pets?limit=100&status=sold');
  }
  for (const [ending, { before = '', ...options } = {}] of endings)
    await addOne(sender, `${before}${sender.nameFor(ending)}`, known, options);
  const alike = sender.nameFor('alike');
  for (const ending of alikeEndings) await addOne(sender, `${alike} ${ending}`, known);
  await addOne(sender, ` ${sender.nameFor('after a space')}`, known);
  await addOne(sender, sender.nameFor('further'), known, { print: printFurther });
}

/** Is replaced by a category, since an integer may have any notation. */
const PLACEHOLDER = 7_777_777_777n;

async function addOne(
  sender: Sender,
  name: string,
  category: bigint | string,
  { print = printExactJson, ...options }: AnimalOptions = {},
) {
  const pet = print({ name, categoryId: PLACEHOLDER, status: 'sold' });
  return sender.addAndLook(pet.replace(`${PLACEHOLDER}`, `${category}`), options);
}

/** Prints an animal with further members, of which two are names that every object of JavaScript has. */
function printFurther(pet: JsonObject): string {
  return printExactJson(pet).replace(/\}$/, ',"nickname":"Rexi","__proto__":{},"constructor":1}');
}

/** Prints JSON with white space and escapes that a writer need not use. */
function printUnusualJson(pet: JsonObject): string {
  const lines = Object.entries(pet).map(([key, one]) => `  ${printExactJson(key)} : ${printExactJson(one)}`);
  return `\n{\n${lines.join(' ,\n')}\n}\n`
    .replaceAll('/', '\\/')
    .replaceAll(/[^\0-\x7f]|(?<= ")n(?=ame" :)/g, escapeUnit)
    .replaceAll(/(?<=\\u)[\da-f]{4}/g, (digits) => digits.toUpperCase());
}

/** A positive id of 32 bits, which any type of numbers holds, and no service gives before it has two billion animals. */
const LARGE_ID = 2_012_345_678n;

/**
 * Adds ordinary animals in other ways: media types, notations of JSON, an id in the body, chunks. Refused bodies stand before and
 * between the first ones, since a service may count what it refuses, and hold it against the next animal.
 */
export async function sendSpellings(sender: Sender): Promise<void> {
  await sendInvalid(sender);
  // The usual form of a charset, with a space, is that of a name.
  for (const mediaType of ['application/json', 'application/json;charset=UTF-8', 'Application/JSON']) {
    await sendInvalid(sender);
    const isInTwoParts = mediaType === 'application/json';
    await sender.addAndLook(sender.createPet('with a type'), { mediaType, isInTwoParts });
  }
  await sendInvalid(sender);
  const reversed = Object.entries(sender.createPet('spaces', 'sold')).toReversed();
  await sender.addAndLook(printUnusualJson(Object.fromEntries(reversed)));
  await sendOwnIds(sender);
  const inChunks = printExactJson(sender.createPet('in chunks', 'sold'));
  const chunked = await sender.post(inChunks, { headers: { 'Transfer-Encoding': 'chunked' } });
  if (chunked?.isSuccess === false) await sender.post(inChunks);
  await sendBesideInvalid(sender);
}

async function sendInvalid(sender: Sender): Promise<void> {
  await sender.post({ name: sender.nameFor('refused between valid ones'), categoryId: 'x' });
}

/** Adds animals whose bodies have an id: one that another animal has, and one that is free. */
async function sendOwnIds(sender: Sender): Promise<void> {
  const { history } = sender;
  const used = history.additions.findLast(({ shown }) => shown !== undefined)?.shown?.id;
  let free = LARGE_ID;
  while (history.isKnown(free)) free += 1n;
  for (const id of [used, free]) {
    if (id === undefined) continue;
    await sender.addAndLook({ ...sender.createPet('own id'), id });
    // The id may be kept although the response shows another.
    if (id === free && !sender.history.isGetPetRemoved) await sender.get(`/pets/${id}`);
  }
}

/** How much later than an animal the lists are sent that are requested while it is being added, in ms. */
const BETWEEN = 5;

/** Adds an animal while an invalid one is under way, and requests lists meanwhile: none must be taken for another. */
async function sendBesideInvalid(sender: Sender): Promise<void> {
  const body = printExactJson(sender.createPet('beside', 'sold'));
  const invalid = { name: sender.nameFor('refused beside a valid one'), categoryId: 'x', status: 'pending' };
  const post = (text: string) => ({ method: 'POST', path: '/pets', body: text });
  const adding = sender.sendTogether([post(body), post(printExactJson(invalid))]);
  await sender.client.wait(BETWEEN);
  await sender.sendTogether(
    ['?limit=100', '', '?limit=100&status=sold'].map((query) => ({ path: `/pets${query}` })),
  );
  const [valid] = await adding;
  if (valid !== undefined) await sender.look(valid);
}
