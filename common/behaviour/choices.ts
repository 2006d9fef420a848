/** A point that the specification leaves unspecified, with the values that a mock can have for it. */
export interface Choice {
  readonly sentence: string;
  /** Heading of the specification that does not define it. */
  readonly silentAt: string;
  /** Requests that show the value: GET requests, POST requests, or none that the contract suite sends. */
  readonly shownBy: 'reading' | 'writing' | 'nothing';
  /** True if the value is set by its name only: it is never drawn, and in no column. */
  readonly onlyByName?: true;
  /** The first value is the default. */
  readonly values: readonly (string | number)[];
  /** Actions of a deployment with each value, to be read after its name. */
  readonly does: readonly string[];
}

const [LIST, CREATE, GET] = [
  'GET /pets (operation listPets)',
  'POST /pets (operation createPet)',
  'GET /pets/{petId} (operation getPet) — deprecated',
];

/** All choices. Source: docs/reference/unspecified.md */
export const choices = {
  order: {
    sentence: 'Order of lists.',
    ...{ silentAt: LIST, shownBy: 'reading' },
    values: ['newest', 'oldest', 'name', 'random'],
    does: ['lists the newest first', 'lists the oldest first', 'sorts lists by name', 'shuffles lists'],
  },
  statusWhenOmitted: {
    sentence: 'Status of an animal that was added without a status.',
    ...{ silentAt: 'Gaps in the records', shownBy: 'writing' },
    values: ['absent', 'available', 'pending', 'sold'],
    does: ['stores no status', 'stores available', 'stores pending', 'stores sold'],
  },
  listsWithoutStatus: {
    sentence: 'Lists by status that show an animal without a status.',
    ...{ silentAt: LIST, shownBy: 'reading' },
    values: ['none', 'available', 'pending', 'sold'],
    does: ['shows it in none', 'shows it as available', 'shows it as pending', 'shows it as sold'],
  },
  pageSize: {
    sentence: 'Maximum number of animals of a list, for any limit.',
    ...{ silentAt: LIST, shownBy: 'reading' },
    values: [100, 25, 7, 1],
    does: ['lists up to 100', 'lists up to 25', 'lists up to 7', 'lists 1'],
  },
  limitAbove100: {
    sentence: 'A limit above 100.',
    ...{ silentAt: LIST, shownBy: 'reading' },
    values: ['refuse', 'clamp', 'default'],
    does: ['refuses it with 400', 'clamps it to 100', 'uses 20'],
  },
  limitBelow1: {
    sentence: 'A limit below 1.',
    ...{ silentAt: LIST, shownBy: 'reading' },
    values: ['refuse', 'clamp', 'default'],
    does: ['refuses it with 400', 'clamps it to 1', 'uses 20'],
  },
  limitNotInteger: {
    sentence: 'A limit that is no integer, such as `abc`, `1.5`, `01` or an empty one.',
    ...{ silentAt: LIST, shownBy: 'reading' },
    values: ['refuse', 'default'],
    does: ['refuses it with 400', 'uses 20'],
  },
  invalidStatus: {
    sentence: 'A status in the query that is not one of the three.',
    ...{ silentAt: LIST, shownBy: 'reading' },
    values: ['refuse', 'ignore', 'empty'],
    does: ['refuses it with 400', 'ignores it', 'returns an empty list'],
  },
  repeatedParameters: {
    sentence: 'A limit or a status that is given more than once.',
    ...{ silentAt: LIST, shownBy: 'reading' },
    values: ['refuse', 'first', 'last'],
    does: ['refuses them with 400', 'uses the first', 'uses the last'],
  },
  unknownParameters: {
    sentence: 'Query parameters other than limit and status.',
    ...{ silentAt: LIST, shownBy: 'reading' },
    values: ['ignore', 'refuse'],
    does: ['ignores them', 'refuses them with 400'],
  },
  unknownMembers: {
    sentence: 'Members of a body that NewPet does not have.',
    ...{ silentAt: CREATE, shownBy: 'writing' },
    values: ['ignore', 'refuse', 'keep'],
    does: ['ignores them', 'refuses them with 400', 'stores and returns them, except an id'],
  },
  duplicateMembers: {
    sentence: 'A member that a body has twice.',
    ...{ silentAt: CREATE, shownBy: 'nothing' },
    values: ['last', 'first', 'refuse'],
    does: ['uses the last one', 'uses the first one', 'refuses it with 400'],
  },
  longestName: {
    sentence: 'Maximum length of a name, in characters.',
    ...{ silentAt: 'Gaps in the records', shownBy: 'writing' },
    values: ['any', 1000, 255, 40],
    does: ['has none', 'accepts 1,000', 'accepts 255', 'accepts 40'],
  },
  emptyNames: {
    sentence: 'An empty name.',
    ...{ silentAt: 'Gaps in the records', shownBy: 'writing' },
    values: ['accepted', 'refused'],
    does: ['accepts it', 'refuses it with 400'],
  },
  uniqueNames: {
    sentence: 'A name that another animal has.',
    ...{ silentAt: 'Gaps in the records', shownBy: 'writing' },
    values: ['no', 'required'],
    does: ['accepts it', 'refuses it with 400'],
  },
  categories: {
    sentence: 'Categories that an animal can have.',
    ...{ silentAt: 'Gaps in the records', shownBy: 'writing' },
    values: ['any', 'positive', 'known'],
    does: ['accepts any int64', 'accepts positive ones', 'accepts categories that an animal has'],
  },
  ids: {
    sentence: 'Ids of new animals.',
    ...{ silentAt: 'Pet (an animal, as returned)', shownBy: 'writing' },
    values: ['next', 'random', 'large', 'negative'],
    does: ['counts upwards', 'gives random ids', 'gives ids above 2^53', 'gives negative ids'],
  },
  integerNotations: {
    sentence: 'Integers in other notations, such as `1.0` and `1e2`.',
    ...{ silentAt: 'NewPet (request body for creation)', shownBy: 'writing' },
    values: ['accepted', 'refused'],
    does: ['accepts them', 'refuses them with 400'],
  },
  otherMediaTypes: {
    sentence: 'A body of another media type than application/json.',
    ...{ silentAt: 'Errors', shownBy: 'writing' },
    values: [400, 415],
    does: ['returns 400', 'returns 415'],
  },
  malformedId: {
    sentence: 'A petId that is not an int64, such as `abc`.',
    ...{ silentAt: GET, shownBy: 'reading' },
    values: [404, 400],
    does: ['returns 404', 'returns 400'],
  },
  unknownPaths: {
    sentence: 'Body of the 404 at an unknown path.',
    ...{ silentAt: 'Errors', shownBy: 'nothing' },
    values: ['error', 'html'],
    does: ['returns an Error', 'returns an HTML page'],
  },
  errorCodes: {
    sentence: 'Style of the codes of Errors, such as not_found.',
    ...{ silentAt: 'Errors', shownBy: 'reading' },
    values: ['snake', 'upper', 'dotted'],
    does: ['sends not_found', 'sends NOT_FOUND', 'sends not.found'],
  },
  errorMembers: {
    sentence: 'Further members of Errors.',
    ...{ silentAt: 'Errors', shownBy: 'reading' },
    values: ['none', 'some'],
    does: ['adds none', 'adds some'],
  },
  animalMembers: {
    sentence: 'Further members of animals.',
    ...{ silentAt: 'Pet (an animal, as returned)', shownBy: 'reading' },
    values: ['none', 'createdAt', 'links'],
    does: ['adds none', 'adds createdAt', 'adds links'],
  },
  charset: {
    sentence: 'The parameter charset of Content-Type.',
    ...{ silentAt: LIST, shownBy: 'reading' },
    values: ['absent', 'utf-8'],
    does: ['leaves it out', 'sends charset=utf-8'],
  },
  schemeCase: {
    sentence: 'Case of the scheme Bearer in a request.',
    ...{ silentAt: 'Authentication', shownBy: 'reading' },
    values: ['any', 'exact'],
    does: ['accepts it in any case', 'accepts only Bearer'],
  },
  challenge: {
    sentence: 'WWW-Authenticate on a 401.',
    ...{ silentAt: 'Authentication', shownBy: 'reading' },
    values: ['present', 'absent'],
    does: ['sends it', 'leaves it out'],
  },
  location: {
    sentence: 'Location on a 201.',
    ...{ silentAt: CREATE, shownBy: 'writing' },
    values: ['absent', 'present'],
    does: ['leaves it out', 'sends it'],
  },
  deprecationHeaders: {
    sentence: 'Headers of GET /pets/{petId} that show its deprecation.',
    ...{ silentAt: GET, shownBy: 'reading' },
    values: ['sunset', 'deprecation', 'none'],
    does: ['sends Sunset and Link', 'sends Deprecation, Sunset and Link', 'sends none'],
  },
  listDelay: {
    sentence: 'Time until lists show a new animal, in milliseconds.',
    ...{ silentAt: LIST, shownBy: 'writing' },
    values: [0, 300, 1500],
    does: ['shows it at once', 'shows it after 300 ms', 'shows it after 1,500 ms'],
  },
  rateLimit: {
    sentence: 'Limited rate of requests.',
    ...{ silentAt: 'Limits', shownBy: 'reading', onlyByName: true },
    values: ['none', 'every20th'],
    does: ['has no limit', 'refuses every 20th request with 429 and Retry-After'],
  },
  fullStore: {
    sentence: 'Number of animals that can be added.',
    ...{ silentAt: CREATE, shownBy: 'writing', onlyByName: true },
    values: ['never', 'after10'],
    does: ['accepts any number', 'refuses the 11th new animal with 409'],
  },
} as const satisfies Readonly<Record<string, Choice>>;

export type ChoiceName = keyof typeof choices;

/** A value for each choice. */
export type Behaviour = {
  readonly [Name in ChoiceName]: (typeof choices)[Name]['values'][number];
};

/** The choices that differ from the default: the form in files, options and reports. */
export type Difference = Partial<Behaviour>;

export const choiceNames = Object.keys(choices) as ChoiceName[];

/** Returns the name of a choice in words, such as "limit above 100". */
export function nameInWords(name: ChoiceName): string {
  return name.replace(/[A-Z]|\d+/g, (part) => ` ${part.toLowerCase()}`);
}

/** Describes a value, to be read after the name of a deployment, such as "clamps it to 100". */
export function describeValueOf(name: ChoiceName, value: unknown): string {
  const { values, does }: Choice = choices[name];
  return does[values.indexOf(value as never)] ?? String(value);
}
