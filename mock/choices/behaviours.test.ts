import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { errorStatuses } from '../../common/http/errors.ts';
import {
  behaviourSchema,
  namedBehaviours,
  printDifference,
  readBehaviour,
  triedValues,
} from './behaviours.ts';
import {
  type ChoiceName,
  choiceNames,
  choiceOf,
  defaultOf,
  describeValueOf,
  effectOf,
  hasValue,
  isSameLearned,
  printValue,
  valuesOf,
} from './choices.ts';
import { KIND_PATTERN } from './errors.ts';

/** Codes that only the proxy sends. */
const ofProxy = ['request_violation', 'response_violation'];

const read = (file: string) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8');

test('each choice names a heading of the specification, and says what each value does', () => {
  const headings = [...read('docs/specification.md').matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading);
  for (const name of choiceNames) {
    const { silentAt, free } = choiceOf(name);
    const values = valuesOf(name);
    expect(headings).toContain(silentAt);
    for (const example of free?.examples ?? []) {
      expect(values).not.toContain(example);
      expect(free?.has(example)).toBe(true);
    }
    expect(new Set(values).size).toBe(values.length);
    expect(Object.keys(effectOf(name, defaultOf(name)) ?? {}).toSorted()).toEqual(['does', 'value']);
  }
});

/** Values whose meaning the reference page says once, with what a deployment does for them. */
const usualValues: Readonly<Record<string, readonly string[]>> = {
  refuse: ['refuses it with 400', 'refuses them with 400'],
  refused: ['refuses it with 400'],
  accepted: ['accepts it', 'accepts them'],
  ignore: ['ignores it', 'ignores them'],
  default: ['uses 20'],
  clamp: ['clamps it to 100', 'clamps it to 1'],
  present: ['sends it'],
  absent: ['leaves it out'],
};

/** Largest number of words of a meaning that only repeats its value, such as `pending` in "shows it as pending". */
const MOST_REPEATED = 6;

/** Prints a value for the reference page, with its meaning unless the value says it. */
function printCell(value: string | number, does = ''): string {
  const shown = typeof value === 'number' ? value.toLocaleString('en') : value;
  const words = does.replace(/ ms$/, '').split(' ');
  const isRepeated = words.length <= MOST_REPEATED && does.includes(shown);
  const isClear = isRepeated || usualValues[value]?.includes(does);
  return isClear ? `\`${value}\`` : `\`${value}\`: ${does}`;
}

/** Largest number of words that say which free values there are. The message about a wrong value has all of them. */
const MOST_EXPECTED = 8;

/** Prints the free values of a choice for the reference page. Numbers need no example. */
function printFree({
  expected,
  examples,
  effectOf,
}: NonNullable<ReturnType<typeof choiceOf>['free']>): string {
  if (examples.every((example) => typeof example === 'number')) return `or ${expected}`;
  const shown = examples.map((example) => `\`${printValue(example)}\``);
  const described = examples
    .map((example) => printCell(printValue(example), effectOf(example).does))
    .join('<br>');
  if (expected === shown.join(' or ')) return `or ${described}`;
  const isLong = expected.split(' ').length > MOST_EXPECTED;
  return `or ${isLong ? 'others' : expected}, such as ${described}`;
}

/** A row of the reference page: what is unspecified with the name of the choice, the default, and the other answers that conform. */
const CHOICE_ROW = /^\| .*<br>`(?<name>\w+)` \| .*? \| (?<others>.*) \|$/gm;

/** Joins values in a cell. If one of them has an explanation, each gets its line. */
function joinValues(cells: readonly string[]): string {
  const isExplained = cells.some((cell) => cell.includes(': '));
  return cells.join(isExplained ? '<br>' : ', ');
}

/** Returns what a row says after the values of its choice: the last line, if it is neither a value nor free values. */
function readTolerance(others: string): string {
  const last = others.split('<br>').at(-1) ?? '';
  return /^(?:`|or )/.test(last) ? '' : last;
}

/** Prints the row of a choice for the reference page. @param tolerance what the page says after its values, which no choice has */
function printRow(name: ChoiceName, tolerance: string): string {
  const { about, values, free } = choiceOf(name);
  const [usual, ...others] = values.map(({ value, does }) => printCell(value, does));
  if (free !== undefined) others.push(printFree(free));
  const conforming = [joinValues(others), tolerance].filter((part) => part !== '').join('<br>');
  return `| ${about.replace(/\.$/, '')}<br>\`${name}\` | ${usual} | ${conforming} |`;
}

// `npm run test:update` writes the rows again.
test('the reference page has every choice and value', async () => {
  const file = join(import.meta.dirname, '../../docs/reference/unspecified.md');
  const page = readFileSync(file, 'utf8');
  const named = [...page.matchAll(CHOICE_ROW)].map(([, name]) => name);
  expect(named.toSorted()).toEqual(choiceNames.toSorted());
  const withChoices = page.replaceAll(CHOICE_ROW, (_row, name: ChoiceName, others: string) =>
    printRow(name, readTolerance(others)),
  );
  await expect(withChoices).toMatchFileSnapshot(file);
  const [, explanation = ''] = /^In all rows, ((?:.+\n)+)/m.exec(page) ?? [];
  const explained = [...explanation.matchAll(/`(\w+)`/g)].map(([, value]) => value);
  expect(explained).toEqual(Object.keys(usualValues));
});

test('the reference page has each code of the mock and each kind of refusal', () => {
  const [, section = ''] = read('docs/reference/unspecified.md').split('## Error codes');
  const codes = Object.keys(errorStatuses).filter((code) => !ofProxy.includes(code));
  const kinds = [...KIND_PATTERN.matchAll(/(?<=[ (|])[a-zA-Z]+(?=[ |)]|$)/g)].map(([kind]) => kind);
  const missing = [...codes, ...kinds].filter((name) => !new RegExp(`\`${name}[ \`]`).test(section));
  expect(missing).toEqual([]);
});

test('each value that is tried, and each behaviour with a name, fits the schema', () => {
  const validate = new Ajv2020().compile(behaviourSchema);
  for (const difference of [
    ...triedValues.map(({ behaviour }) => behaviour),
    ...Object.values(namedBehaviours),
  ])
    expect(validate(difference), JSON.stringify(validate.errors)).toBe(true);
});

test.for([
  [{ ordr: 'oldest' }, 'The behaviour: there is no choice "ordr". Did you mean order?'],
  [
    { unknownStatus: 'empty' },
    'The behaviour: there is no choice "unknownStatus". docs/reference/unspecified.md lists the choices.',
  ],
  [{ order: 'up' }, 'The behaviour: order must be newest, oldest, name or random, not "up".'],
  [
    { pageSize: '25' },
    'The behaviour: pageSize must be 100, 25, 7, 1 or an integer from 1 to 100, not "25". Write the number without quotes.',
  ],
  [{ pageSize: 0 }, 'an integer from 1 to 100, not 0.'],
  [{ pageSize: 101 }, 'an integer from 1 to 100, not 101.'],
  [{ pageSize: 1.5 }, 'an integer from 1 to 100, not 1.5.'],
  ...[{}, { 404: 'no pet' }, { 404: 'x'.repeat(65) }, { 404: 5 }, { 200: 'OK' }, { '404 limit': 'A' }].map(
    (errorCodes) => [{ errorCodes }, 'snake, upper, dotted or an object with a code of'] as const,
  ),
  [{ errorCodes: ['NO_PET'] }, 'for a status and a kind of refusals, not an array.'],
  [{ animalMembers: { id: 'string' } }, 'not {"id":"string"}. id is taken.'],
  [{ errorCodes: { '404 animals': 'A' } }, 'not {"404 animals":"A"}. Did you mean 404 animal?'],
  ['strct', 'behaviour must be default, strict, lenient or slow, or an object, not "strct".'],
  [['order'], 'The behaviour must be an object or a name, not an array.'],
])('%j is no behaviour: %s', ([given, message]) => {
  expect(() => readBehaviour(given)).toThrow(message as string);
});

test('a free value is read, described and allowed by the schema, but not tried', () => {
  const behaviour = { pageSize: 12 };
  expect(readBehaviour(behaviour)).toEqual(behaviour);
  expect(readBehaviour({ pageSize: 100n })).toEqual({});
  expect(describeValueOf('pageSize', 12)).toBe('lists up to 12');
  expect(describeValueOf('pageSize', 25)).toBe('lists up to 25');
  expect(printDifference(behaviour)).toEqual(['page size: 12']);
  const validate = new Ajv2020().compile(behaviourSchema);
  expect([12, 100, 0, 101, 1.5].map((pageSize) => validate({ pageSize }))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

test('codes of Errors for each status are read, described and allowed by the schema', () => {
  const behaviour = { errorCodes: { 400: 'BAD_REQUEST', 404: 'no-pet:1.x' } };
  expect(readBehaviour(behaviour)).toEqual(behaviour);
  expect(describeValueOf('errorCodes', behaviour.errorCodes)).toBe(
    'sends BAD_REQUEST with 400, no-pet:1.x with 404',
  );
  expect(printDifference(behaviour)).toEqual(['error codes: {"400":"BAD_REQUEST","404":"no-pet:1.x"}']);
  const validate = new Ajv2020().compile(behaviourSchema);
  const all = [behaviour.errorCodes, {}, { 404: 'no pet' }, { 200: 'OK' }, { 404: 5 }];
  expect(all.map((errorCodes) => validate({ errorCodes }))).toEqual([true, false, false, false, false]);
  // What was read does not change with the object of the caller.
  const given = { errorCodes: { 404: 'NO_PET' } };
  const read = readBehaviour(given);
  given.errorCodes[404] = 'OTHER';
  expect(read).toEqual({ errorCodes: { 404: 'NO_PET' } });
});

test.for([
  [{ 404: 'A' }, { 404: 'A' }, true],
  [{ 404: 'A', 400: 'B' }, { 404: 'A', 401: 'C' }, true],
  [{ 404: 'A', 400: 'B' }, { 404: 'A', 400: 'C' }, false],
  [{ '404 path': 'A', '404 animal': 'B' }, { '404 path': 'A' }, true],
  [{ '404 path': 'A', '404 animal': 'B' }, { '404 path': 'C' }, false],
  [{ '404 path': 'A', '404 animal': 'B' }, { 404: 'B' }, true],
  [{ 404: 'C' }, { '404 path': 'A', '404 animal': 'B' }, false],
  [{ 404: 'A' }, 'upper', false],
  ['upper', 'upper', true],
  ['upper', 'snake', false],
])('the learned codes %j and %j: the same deployment may have both is %j', ([one, other, isSame]) => {
  expect(isSameLearned('errorCodes', one, other)).toBe(isSame);
});

test.for([
  [{ updatedAt: 'string' }, true],
  [{}, false],
  [{ updatedAt: 'text' }, false],
  [{ status: 'string' }, false],
  [{ 'a b': 'string' }, false],
  [{ other: { links: 'object' } }, false],
] as const)('further members %j are a value: %j', ([value, isOne]) => {
  expect(hasValue('animalMembers', value)).toBe(isOne);
  expect(new Ajv2020().compile(behaviourSchema)({ animalMembers: value })).toBe(isOne);
});

test.for([
  [{ a: 'string', b: 'array' }, { b: 'array', a: 'string' }, true],
  [{ a: 'string' }, { a: 'null' }, true],
  [{ a: 'string' }, { a: 'array' }, false],
  [{ a: 'string' }, { b: 'string' }, false],
  [{ a: 'string' }, { a: 'string', b: 'array' }, false],
] as const)(
  'the learned members %j and %j: the same deployment may have both is %j',
  ([one, other, isSame]) => {
    expect(isSameLearned('animalMembers', one, other)).toBe(isSame);
  },
);

test.for([
  ['pageSize', 7, 7, true],
  ['pageSize', 7, 25, false],
  // Delays are learned to 300 ms.
  ['getDelay', 1_000, 1_300, true],
  ['getDelay', 1_000, 1_301, false],
  ['getDelay', 0, 100, false],
  ['getDelay', 0, 0, true],
] as const)(
  'of %s, the values %j and %j: the same deployment may have both is %j',
  ([name, one, other, isSame]) => {
    expect(isSameLearned(name, one, other)).toBe(isSame);
  },
);
