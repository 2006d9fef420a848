import { type ErrorCodes, freeCodes } from './error-codes.ts';
import { createIntegers, type FreeValues, freeConflict, freeIds } from './free-values.ts';
import { type AnimalMembers, freeAnimalMembers, freeErrorMembers } from './further-members.ts';

/** A point that deployments decide in their own ways, with the values that a mock can have for it. */
export interface Choice {
  readonly sentence: string;
  /** Heading of the specification that does not define it. */
  readonly silentAt: string;
  /** Requests of the contract suite that show the value: GET requests or POST requests. */
  readonly shownBy: 'reading' | 'writing';
  /** True if the value is set by its name only: it is never tried. */
  readonly onlyByName?: true;
  /** The first value is the default. */
  readonly values: readonly (string | number)[];
  /** Actions of a deployment with each value, to be read after its name. */
  readonly does: readonly string[];
  /** Further values, for which a list is too coarse. */
  readonly free?: FreeValues<number | string | ErrorCodes | AnimalMembers>;
}

/** A body of 1 MiB has no longer name, in characters. */
const LONGEST_NAME = 1_000_000;

/** No service requires longer names, in characters. */
const LARGEST_SHORTEST_NAME = 10;

/** A category above this one may be refused for its size. */
const LARGEST_CATEGORY = 2 ** 31 - 1;

/** A client rarely waits longer, in ms. */
const LONGEST_DELAY = 60_000;

/** How far apart the list that lacks an animal and the list that shows it may be, in ms, so that the time between them is learned. */
export const DELAY_PRECISION = 300;

const delays = {
  ...createIntegers(0, LONGEST_DELAY, 700, (ms) => `shows it after ${ms.toLocaleString('en')} ms`),
  precision: DELAY_PRECISION,
};

const categoriesUpTo = {
  ...createIntegers(1, LARGEST_CATEGORY, 12, (most) => `accepts 1 to ${most.toLocaleString('en')}`),
  // Once animals have all the categories that a run sends and the deployment accepts.
  shownInstead: ['known'],
};

const LIST = 'GET /pets (operation listPets)';
const CREATE = 'POST /pets (operation createPet)';
const GET = 'GET /pets/{petId} (operation getPet) — deprecated';
const NEW_PET = 'NewPet (request body for creation)';

const unspecified = (sentence: string, silentAt: string, shownBy: Choice['shownBy']) => {
  return { sentence, silentAt, shownBy };
};

/** All choices. Source: docs/reference/unspecified.md */
export const choices = {
  order: {
    ...unspecified('Order of lists.', LIST, 'reading'),
    values: ['newest', 'oldest', 'name', 'random'],
    does: ['lists the newest first', 'lists the oldest first', 'sorts lists by name', 'shuffles lists'],
  },
  statusWhenOmitted: {
    ...unspecified('Status of an animal that was added without a status.', 'Gaps in the records', 'writing'),
    values: ['absent', 'available', 'pending', 'sold'],
    does: ['stores no status', 'stores available', 'stores pending', 'stores sold'],
  },
  listsWithoutStatus: {
    ...unspecified('Lists by status that show an animal without a status.', LIST, 'reading'),
    values: ['none', 'available', 'pending', 'sold'],
    does: ['shows it in none', 'shows it as available', 'shows it as pending', 'shows it as sold'],
  },
  pageSize: {
    ...unspecified('Maximum number of animals of a list, for any limit.', LIST, 'reading'),
    values: [100, 25, 7, 1],
    does: ['lists up to 100', 'lists up to 25', 'lists up to 7', 'lists 1'],
    free: createIntegers(1, 100, 12, (size) => `lists up to ${size}`),
  },
  limitAbove100: {
    ...unspecified('A limit above 100.', LIST, 'reading'),
    values: ['refuse', 'clamp', 'default'],
    does: ['refuses it with 400', 'clamps it to 100', 'uses 20'],
    free: createIntegers(1, 99, 30, (limit) => `clamps it to ${limit}`),
  },
  limitBelow1: {
    ...unspecified('A limit below 1.', LIST, 'reading'),
    values: ['refuse', 'clamp', 'default', 'none'],
    does: ['refuses it with 400', 'clamps it to 1', 'uses 20', 'returns an empty list'],
  },
  limitWord: {
    ...unspecified('A limit that is no number, such as `abc`.', LIST, 'reading'),
    values: ['refuse', 'default', 'one', 'none'],
    does: ['refuses it with 400', 'uses 20', 'uses 1', 'returns an empty list'],
  },
  limitFraction: {
    ...unspecified('A limit with a fraction, such as `2.5`.', LIST, 'reading'),
    values: ['refuse', 'default', 'truncate'],
    does: ['refuses it with 400', 'uses 20', 'drops the fraction'],
  },
  limitLeadingZero: {
    ...unspecified('A limit with a leading zero, such as `02`.', LIST, 'reading'),
    values: ['refuse', 'default', 'decimal'],
    does: ['refuses it with 400', 'uses 20', 'drops the zero'],
  },
  limitEmpty: {
    ...unspecified('An empty limit, as in `?limit=`.', LIST, 'reading'),
    values: ['refuse', 'default', 'one', 'none'],
    does: ['refuses it with 400', 'uses 20', 'uses 1', 'returns an empty list'],
  },
  invalidStatus: {
    ...unspecified('An invalid status in the query, such as `lost`.', LIST, 'reading'),
    values: ['refuse', 'ignore', 'empty'],
    does: ['refuses it with 400', 'ignores it', 'returns an empty list'],
  },
  statusCase: {
    ...unspecified('Case of a status in the query, such as `SOLD`.', LIST, 'reading'),
    values: ['exact', 'any'],
    does: ['takes another case for an invalid status', 'accepts it in any case'],
  },
  statusLists: {
    ...unspecified(
      'Several statuses with commas in the query, such as `status=sold,pending`.',
      LIST,
      'reading',
    ),
    values: ['invalid', 'union'],
    does: ['takes them for an invalid status', 'lists animals of each'],
  },
  repeatedParameters: {
    ...unspecified('A query parameter that is given more than once.', LIST, 'reading'),
    values: ['refuse', 'first', 'last', 'union'],
    does: [
      'refuses them with 400',
      'uses the first',
      'uses the last',
      'uses the last limit, and lists animals of each status',
    ],
  },
  pages: {
    ...unspecified('A query parameter for further pages of a list.', LIST, 'reading'),
    values: ['none', 'page', 'offset', 'skip'],
    does: [
      'has none',
      'shows the second page for page=2',
      'skips 20 animals for offset=20',
      'skips 20 animals for skip=20',
    ],
  },
  unknownParameters: {
    ...unspecified('Query parameters that GET /pets does not have.', LIST, 'reading'),
    values: ['ignore', 'refuse'],
    does: ['ignores them', 'refuses them with 400'],
  },
  unknownMembers: {
    ...unspecified('Members of a body that NewPet does not have.', CREATE, 'writing'),
    values: ['ignore', 'refuse', 'keep'],
    does: ['ignores them', 'refuses them with 400', 'stores and returns them, except an id'],
  },
  duplicateMembers: {
    ...unspecified('A member that a body has twice.', CREATE, 'writing'),
    values: ['last', 'first', 'refuse'],
    does: ['uses the last one', 'uses the first one', 'refuses it with 400'],
  },
  longestName: {
    ...unspecified('Maximum length of a name, in characters.', 'Gaps in the records', 'writing'),
    values: ['any', 1000, 255, 40],
    does: ['has none', 'accepts 1,000', 'accepts 255', 'accepts 40'],
    free: createIntegers(1, LONGEST_NAME, 100, (length) => `accepts ${length.toLocaleString('en')}`),
  },
  shortestName: {
    ...unspecified(
      'Minimum length of a name that is not empty, in characters.',
      'Gaps in the records',
      'writing',
    ),
    values: [1, 2, 3],
    does: ['accepts one', 'requires 2', 'requires 3'],
    free: createIntegers(1, LARGEST_SHORTEST_NAME, 5, (length) => `requires ${length}`),
  },
  nameCharacters: {
    ...unspecified('Characters of names.', 'Gaps in the records', 'writing'),
    values: ['any', 'plain'],
    does: ['accepts any', 'accepts letters, digits, spaces, dots, apostrophes and hyphens'],
  },
  emptyNames: {
    ...unspecified('An empty name.', 'Gaps in the records', 'writing'),
    values: ['accepted', 'refused', 'blank'],
    does: ['accepts it', 'refuses it with 400', 'refuses it, and one of spaces only, with 400'],
  },
  uniqueNames: {
    ...unspecified('A name that another animal has.', 'Gaps in the records', 'writing'),
    values: ['no', 'required', 'ignoringCase', 'conflict'],
    does: ['accepts it', 'refuses it with 400', 'refuses it in any case with 400', 'refuses it with 409'],
    free: freeConflict,
  },
  categories: {
    ...unspecified('Categories that an animal can have.', 'Gaps in the records', 'writing'),
    values: ['any', 'positive', 'known'],
    does: ['accepts any int64', 'accepts positive ones', 'accepts categories that an animal has'],
    free: categoriesUpTo,
  },
  ids: {
    ...unspecified('Ids of new animals.', 'Pet (an animal, as returned)', 'writing'),
    values: ['next', 'random', 'large', 'negative'],
    does: ['counts upwards', 'gives random ids', 'gives ids above 2^53', 'gives negative ids'],
    free: freeIds,
  },
  integerNotations: {
    ...unspecified('Integers in other notations, such as `1.0` and `1e2`.', NEW_PET, 'writing'),
    values: ['accepted', 'refused'],
    does: ['accepts them', 'refuses them with 400'],
  },
  refusedMember: {
    ...unspecified('Member that the message of a 400 is about.', 'Errors', 'writing'),
    values: ['named', 'absent'],
    does: ['names it', 'sends a general message'],
  },
  otherMediaTypes: {
    ...unspecified('A body of another media type than application/json.', 'Errors', 'writing'),
    values: [400, 415, 'read'],
    does: ['returns 400', 'returns 415', 'reads it as JSON all the same'],
  },
  malformedId: {
    ...unspecified('A petId that is not an int64, such as `abc`.', GET, 'reading'),
    values: [404, 400],
    does: ['returns 404', 'returns 400'],
  },
  unknownPaths: {
    ...unspecified('Body of the 404 at an unknown path.', 'Errors', 'reading'),
    values: ['error', 'html'],
    does: ['returns an Error', 'returns an HTML page'],
  },
  unknownPathWithoutKey: {
    ...unspecified('An unknown path without a valid key.', 'Authentication', 'reading'),
    values: [401, 404],
    does: ['returns 401', 'returns 404 before it looks at the key'],
  },
  errorCodes: {
    ...unspecified('Codes of Errors, in a style or for each status or kind of refusal.', 'Errors', 'reading'),
    values: ['snake', 'upper', 'dotted'],
    does: ['sends not_found', 'sends NOT_FOUND', 'sends not.found'],
    free: freeCodes,
  },
  errorMembers: {
    ...unspecified('Further members of Errors.', 'Errors', 'reading'),
    values: ['none', 'some'],
    does: ['adds none', 'adds some'],
    free: freeErrorMembers,
  },
  animalMembers: {
    ...unspecified('Further members of animals.', 'Pet (an animal, as returned)', 'reading'),
    values: ['none', 'createdAt', 'links'],
    does: ['adds none', 'adds createdAt', 'adds links'],
    free: freeAnimalMembers,
  },
  charset: {
    ...unspecified('The parameter charset of Content-Type.', LIST, 'reading'),
    values: ['absent', 'utf-8'],
    does: ['leaves it out', 'sends charset=utf-8'],
  },
  schemeCase: {
    ...unspecified('Case of the scheme Bearer in a request.', 'Authentication', 'reading'),
    values: ['any', 'exact'],
    does: ['accepts it in any case', 'accepts only Bearer'],
  },
  challenge: {
    ...unspecified('WWW-Authenticate on a 401.', 'Authentication', 'reading'),
    values: ['present', 'absent'],
    does: ['sends it', 'leaves it out'],
  },
  location: {
    ...unspecified('Location on a 201.', CREATE, 'writing'),
    values: ['absent', 'present'],
    does: ['leaves it out', 'sends it'],
  },
  deprecationHeaders: {
    ...unspecified('Headers of GET /pets/{petId} that show its deprecation.', GET, 'reading'),
    values: ['sunset', 'deprecation', 'none'],
    does: ['sends Sunset and Link', 'sends Deprecation, Sunset and Link', 'sends none'],
  },
  listDelay: {
    ...unspecified('Time until lists show a new animal, in milliseconds.', LIST, 'writing'),
    values: [0, 300, 1500],
    does: ['shows it at once', 'shows it after 300 ms', 'shows it after 1,500 ms'],
    free: delays,
  },
  getDelay: {
    ...unspecified('Time until GET /pets/{petId} shows a new animal, in milliseconds.', GET, 'writing'),
    values: [0, 300, 1500],
    does: ['shows it at once', 'shows it after 300 ms', 'shows it after 1,500 ms'],
    free: delays,
  },
  trailingSlash: {
    ...unspecified('A slash at the end of a path, such as `/v1/pets/`.', 'Endpoints', 'reading'),
    values: ['notFound', 'same', 'redirect'],
    does: ['returns 404', 'answers as without it', 'redirects to the path without it with 307'],
  },
  head: {
    ...unspecified('HEAD at `/v1/pets` and `/v1/pets/{petId}`.', 'Endpoints', 'reading'),
    values: [200, 405],
    does: ['answers as to GET, without the body', 'returns 405'],
  },
  otherMethods: {
    ...unspecified(
      'A method that a path does not have, such as DELETE at `/v1/pets`.',
      'Endpoints',
      'reading',
    ),
    values: [405, 404],
    does: ['returns 405', 'returns 404'],
  },
  allow: {
    ...unspecified('Allow on a 405.', 'Endpoints', 'reading'),
    values: ['present', 'absent'],
    does: ['sends it', 'leaves it out'],
  },
  etag: {
    ...unspecified('ETag on a 200 of GET, with a 304 to the same `If-None-Match`.', 'Endpoints', 'reading'),
    values: ['none', 'all'],
    does: ['sends none', 'sends a weak one, and 304'],
  },
  rateLimit: {
    ...unspecified('Rate limits.', 'Limits', 'reading'),
    onlyByName: true,
    values: ['none', 'every20th'],
    does: ['has no limit', 'refuses every 20th request with 429 and Retry-After'],
  },
  fullStore: {
    ...unspecified('Number of animals that can be added.', CREATE, 'writing'),
    onlyByName: true,
    values: ['never', 'after10'],
    does: ['accepts any number', 'refuses the 11th new animal with 409'],
  },
} as const satisfies Readonly<Record<string, Choice>>;

export type ChoiceName = keyof typeof choices;

/** The free values of a choice, or never. */
type FreeValue<One> = One extends { readonly free: FreeValues<infer Value> } ? Value : never;

/** A value for each choice. */
export type Behaviour = {
  readonly [Name in ChoiceName]: (typeof choices)[Name]['values'][number] | FreeValue<(typeof choices)[Name]>;
};

/** A value of any choice. */
export type ChoiceValue = Behaviour[ChoiceName];

/** The choices that differ from the default: the form in files, options and reports. */
export type Difference = Partial<Behaviour>;

export const choiceNames = Object.keys(choices) as ChoiceName[];

/** Returns the name of a choice in words, such as "limit above 100". */
export function nameInWords(name: ChoiceName): string {
  return name.replace(/[A-Z]|\d+/g, (part) => ` ${part.toLowerCase()}`);
}

/** Returns whether a choice has a value, listed or free. */
export function hasValue(name: ChoiceName, value: unknown): value is ChoiceValue {
  const { values, free }: Choice = choices[name];
  return values.includes(value as never) || free?.has(value) === true;
}

/** Returns whether two values of a choice, which were learned, may be of the same deployment. */
export function isSameLearned(name: ChoiceName, one: unknown, other: unknown): boolean {
  const { free }: Choice = choices[name];
  const areNumbers = typeof one === 'number' && typeof other === 'number' && one > 0 && other > 0;
  const isInstead = (value: unknown, another: unknown) =>
    free?.has(value) === true && free.shownInstead?.includes(another) === true;
  if (isInstead(one, other) || isInstead(other, one)) return true;
  if (areNumbers) return Math.abs(one - other) <= (free?.precision ?? 0);
  const areFree = free?.has(one) === true && free.has(other);
  return areFree && free.isSameLearned !== undefined ? free.isSameLearned(one, other) : one === other;
}

/** Prints a value as text, such as in a list of choices. */
export function printValue(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Describes a value, to be read after the name of a deployment, such as "clamps it to 100". */
export function describeValueOf(name: ChoiceName, value: unknown): string {
  const { values, does, free }: Choice = choices[name];
  const listed = does[values.indexOf(value as never)];
  return listed ?? (free?.has(value) ? free.does(value) : printValue(value));
}
