import { type JsonObject, printExactJson } from '../../../common/json/exact-json.ts';
import { escapeUnit } from '../../../common/text/harmless-text.ts';
import { type Addition, addOfEachStatus, fetchAdded } from '../../model/additions.ts';
import type { Context } from '../../model/context.ts';
import { listedBeforeAdding } from '../../model/lists.ts';

/** Endings of names, each with much of one kind that might get lost. */
const endings = [
  'Zoë Łukasz Ñandú ß ı 猫のミケ כלב كلب 한 \u1112\u1161\u11ab e\u0301 vs é ﬁ½ \ue000',
  '🐈‍⬛ 👋🏽 ❤\ufe0f',
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
] as const;

/** Names that a store or a data format may take for something else than a string. */
const wholeNames = [
  ...['007', '1e3', '123', 'true', 'null', '', '0'],
  ...['NULL', '-0', '0x1F', '1.50', '=1+1', '12:30'],
  ...['2030-01-31', '2030-01-31T00:00:00Z', 'no', 'yes', 'NaN', '{}'],
  ...['undefined', 'constructor', '__proto__'],
] as const;

/** The least made-up categories; a float of 32 bits cannot hold the second, nor the next ones by even numbers. */
const leastMadeUp = [57n, 16_777_217n];

const int64s = [
  ...[0n, -1n, 3_000_000_000n, 2n ** 63n - 1n, -(2n ** 63n)],
  // A double, or 32 bits, cannot hold these.
  ...[2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 32n + 1n],
];

export interface Unusual extends Addition {
  /** The fields that the exchange is about: a refusal may be for the other one. */
  readonly fields: readonly ('name' | 'categoryId')[];
  /** Undefined if something else can have been refused. */
  readonly categoryId: bigint | undefined;
}

export function makeUpCategories(context: Context): bigint[] {
  const known = new Set([...listedBeforeAdding(context).values()].map(({ categoryId }) => categoryId));
  return leastMadeUp.map((least) => {
    let category = least;
    while (known.has(category)) category += 2n;
    return category;
  });
}

/** Adds animals with unusual names and categories, once in a run: both at once or, if that is refused, each. */
export function addUnusual(context: Context): Promise<readonly Unusual[]> {
  return context.once(addAll);
}

async function addAll(context: Context): Promise<readonly Unusual[]> {
  await addOfEachStatus(context);
  const known = await context.findCategory();
  const names = [
    ...wholeNames,
    ...endings.map((ending) => context.nameFor(ending)),
    ` ${context.nameFor('after a space')}`,
  ];
  // RFC 8259 has one kind of number, so that these are integers too.
  const notations = ['1e2', '10e1', '120e-1', `${known}.0`];
  const categories = [...makeUpCategories(context), ...int64s, ...notations];
  const added: Unusual[] = [];
  for (const [index, name] of names.entries()) {
    const category = categories[index];
    const categoryId = typeof category === 'bigint' ? category : undefined;
    const add = (pet: JsonObject) => addBody(context, pet, category, name);
    if (category !== undefined) {
      const both = await add({ name, categoryId: PLACEHOLDER });
      if (both.posted.isAddition) {
        added.push({ ...both, fields: ['name', 'categoryId'], categoryId });
        continue;
      }
    }
    added.push({ ...(await add({ name, categoryId: known })), fields: ['name'], categoryId: undefined });
    if (category === undefined) continue;
    const plain = { name: context.nameFor('int64'), categoryId: PLACEHOLDER };
    added.push({ ...(await add(plain)), fields: ['categoryId'], categoryId });
  }
  return added;
}

/** Is replaced by a category, since an integer may have any notation. */
const PLACEHOLDER = 7_777_777_777n;

/** @param name decides how the animal is printed and which status it has */
async function addBody(
  context: Context,
  pet: JsonObject,
  category: bigint | string | undefined,
  name: string,
): Promise<Addition> {
  // Sold animals stay in a list where other clauses see them.
  const status = name.length > 1000 ? {} : { status: 'sold' };
  const print = name.includes('escaped') ? printUnusualJson : printExactJson;
  const posted = await context.post(print({ ...pet, ...status }).replace(`${PLACEHOLDER}`, `${category}`));
  return { posted, fetched: await fetchAdded(context, posted) };
}

/** Prints an animal as JSON with spaces and line breaks, and with escapes for everything that is not ASCII. */
export function printUnusualJson(pet: JsonObject): string {
  const members = Object.entries(pet).map(
    ([key, value]) => `  ${printExactJson(key)} : ${printExactJson(value)}`,
  );
  return `\n{\n${members.join(' ,\n')}\n}\n`.replaceAll(/[^\0-\x7f]|(?<= ")n(?=ame" :)/g, escapeUnit);
}
