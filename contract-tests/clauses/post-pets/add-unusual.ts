import { type JsonObject, printExactJson } from '../../../common/exact-json.ts';
import { findCategory, idOf, isAddition, listedBeforeAdding } from '../../core/add-animal.ts';
import type { Context } from '../../core/context.ts';
import { type Exchange, readAnimal } from '../../core/exchange.ts';
import { isRemoved } from '../../core/get-pet-removal.ts';
import { type Addition, addOfEachStatus } from '../../core/shared-animals.ts';

/** Endings of names, each with much of one kind that might get lost. */
const endings = [
  'Zoë Łukasz Ñandú ß ı 猫のミケ כלב كلب 한 \u1112\u1161\u11ab e\u0301 vs é ﬁ½ \ue000',
  '🐈‍⬛ 👋🏽 ❤\ufe0f',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template engine would replace it.
  '<b>"Rex" & \'Co\'</b> \\ \\n \\u0041 / %% %s + $& ${x} {{x}} &amp; &eacute; &#65; # | ... _a_ **b** ’ “c” …',
  // What a firewall dislikes.
  "O'Brien <script>alert(1)</script> ' OR 1=1; DROP TABLE pets; -- ../../etc/passwd %41",
  ' two  spaces, no\u00a0break \u00a0 ',
  'line\nbreak\ttab, carriage\r\nreturn, control \u0001 \u0000 \u007f \u0085 characters',
  'soft\u00adhyphen \u200b \u2028 \u2066 \ufffe \ufeff',
  `long ${'x'.repeat(300)}`,
  `longer ${'x'.repeat(5000)}`,
  'escaped 🐈 é',
] as const;

/** Whole names that a store or a data format may take for something else than a string. */
const wholeNames = [
  ...['007', '1e3', '123', 'true', 'null', '', '0'],
  ...['NULL', '-0', '0x1F', '1.50', '=1+1', '12:30'],
  ...['2030-01-31', '2030-01-31T00:00:00Z', 'no', 'yes', 'NaN', '{}'],
  ...['undefined', 'constructor', '__proto__'],
] as const;

/** The least of the categories that are made up; a float of 32 bits cannot hold the second, nor one more by an even number. */
const leastMadeUp = [57n, 16_777_217n];

const int64s = [
  ...[0n, -1n, 3_000_000_000n, 2n ** 63n - 1n, -(2n ** 63n)],
  // What a double, or 32 bits, cannot hold.
  ...[2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 32n + 1n],
];

/** An animal with an unusual name or category. */
export interface Unusual extends Omit<Addition, 'status'> {
  /** Of which of its fields it says something: a refusal may be for the other one. */
  readonly tells: readonly ('name' | 'categoryId')[];
  /** Where nothing else can have been refused. */
  readonly categoryId: bigint | undefined;
}

/** Categories that no animal had when the run began, and not because of their size. */
export function makeUpCategories(context: Context): bigint[] {
  const known = new Set([...listedBeforeAdding(context).values()].map(({ categoryId }) => categoryId));
  return leastMadeUp.map((least) => {
    let category = least;
    while (known.has(category)) category += 2n;
    return category;
  });
}

/**
 * Adds animals with unusual names and categories, once in a run. One animal shows one of each; when it is refused, each is
 * tried alone.
 */
export function addUnusual(context: Context): Promise<readonly Unusual[]> {
  return context.once(addAll);
}

async function addAll(context: Context): Promise<readonly Unusual[]> {
  await addOfEachStatus(context);
  const known = await findCategory(context);
  const madeUp = makeUpCategories(context);
  const names = [
    ...wholeNames,
    ...endings.map((ending) => context.nameFor(ending)),
    ` ${context.nameFor('after a space')}`,
  ];
  const categories: readonly (bigint | string)[] = [...madeUp, ...int64s, ...listNotations(known)];
  const added: Unusual[] = [];
  for (const [index, name] of names.entries()) {
    const category = categories[index];
    // Sold ones stay in a list where other clauses see them.
    const status = name.length > 1000 ? {} : { status: 'sold' };
    const print = name.includes('escaped') ? printUnusualJson : printExactJson;
    const add = (parts: JsonObject, notation?: string) =>
      addBody(context, withNotation(print({ ...parts, ...status }), notation));
    if (category === undefined) {
      added.push({ ...(await add({ name, categoryId: known })), tells: ['name'], categoryId: undefined });
      continue;
    }
    const notation = typeof category === 'string' ? category : undefined;
    const categoryId = typeof category === 'string' ? undefined : category;
    const both = await add({ name, categoryId: categoryId ?? PLACEHOLDER }, notation);
    if (isAddition(both.posted)) {
      added.push({ ...both, tells: ['name', 'categoryId'], categoryId });
      continue;
    }
    const plain = { name: context.nameFor('int64'), categoryId: categoryId ?? PLACEHOLDER };
    added.push({ ...(await add({ name, categoryId: known })), tells: ['name'], categoryId: undefined });
    added.push({ ...(await add(plain, notation)), tells: ['categoryId'], categoryId });
  }
  return added;
}

/** What stands for a category that is written in a notation of its own. */
const PLACEHOLDER = 7_777_777_777n;

function withNotation(body: string, notation: string | undefined): string {
  return notation === undefined ? body : body.replace(String(PLACEHOLDER), notation);
}

/** Integers that are written otherwise: RFC 8259 has one kind of number. */
function listNotations(known: bigint): string[] {
  return ['1e2', '10e1', '120e-1', `${known}.0`];
}

async function addBody(context: Context, body: string): Promise<Pick<Unusual, 'posted' | 'fetched'>> {
  const posted = await context.client.send({ method: 'POST', path: '/pets', body });
  const id = isAddition(posted) ? idOf(posted) : undefined;
  const isFound = id !== undefined && readAnimal(posted) !== undefined && !(await isRemoved(context));
  const fetched: Exchange | undefined = isFound
    ? await context.client.send({ path: `/pets/${id}` })
    : undefined;
  return { posted, fetched };
}

/** Prints an animal as JSON with spaces and line breaks, and with escapes for everything that is not ASCII. */
export function printUnusualJson(pet: JsonObject): string {
  const members = Object.entries(pet).map(
    ([key, value]) => `  ${printExactJson(key)} : ${printExactJson(value)}`,
  );
  return `\n{\n${members.join(' ,\n')}\n}\n`.replaceAll(
    /[^\0-\x7f]|(?<= ")n(?=ame" :)/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
