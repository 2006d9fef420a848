import { type Contract, jsonSchemaOf, loadContract, type Operation } from '../../common/json/contract.ts';
import {
  decodeUtf8,
  type ExactJson,
  isJsonObject,
  isRoundedFraction,
  mayLoseDigits,
  parseExactJson,
  printExactJson,
} from '../../common/json/exact-json.ts';
import { isJson } from '../../common/json/is-json.ts';
import { isReading } from '../client/exchange.ts';
import { MOST_ELEMENTS } from '../client/read-json.ts';

/** The header that has the id of a transaction in a run of the suite, such as `listPets 200`. */
export const TRANSACTION_ID = 'X-Dredd-Transaction';

/** What the transactions of a run need, and Dredd does not know. It is sent to the process of Dredd. */
export interface TransactionValues {
  readonly apiKey: string;
  /** Name of the animals that POST adds. */
  readonly name: string;
  /** Category of these animals, in digits. @default that of the first animal in the first list, or else 1 */
  readonly categoryId?: string | undefined;
  /** Id of an animal that exists, in digits. @default that of the first animal in the first list, or of the added animal */
  readonly id?: string | undefined;
  /** Ids of the transactions that are not sent. */
  readonly skipped: readonly string[];
}

type Headers = Record<string, string>;

/** A transaction of Dredd, with the members that the hooks read and set. */
export interface DreddTransaction {
  /** The name of a resource is its path in openapi.yaml. */
  readonly origin: { readonly resourceName: string };
  readonly request: { readonly method: string; uri: string; headers: Headers; body: string };
  readonly expected: { statusCode: string; body?: string; bodySchema?: object };
  readonly real?: {
    readonly statusCode: number;
    headers: Headers;
    bodyEncoding?: string;
    body?: string;
  };
  /** The path of the endpoint, and the path and query of the request. */
  fullPath: string;
  skip: boolean;
  /** What Dredd's reporters show. */
  readonly test?: { message: string };
  /** The reason why the transaction fails before it is sent. */
  fail?: string;
}

/** An id that no animal has. */
export const UNKNOWN_ID = '8765432109876543210';

/** Lists the ids of all transactions, in the order of the contract. */
export function listTransactions({ operations }: Contract): readonly string[] {
  return operations.flatMap(toTransactions);
}

/** Lists the ids of the transactions that may add, change or remove an animal. */
export function listWriting({ operations }: Contract): readonly string[] {
  return operations.filter((one) => !isReading(one)).flatMap(toTransactions);
}

function toTransactions(operation: Operation): readonly string[] {
  return listStatuses(operation).map((status) => `${operation.operationId} ${status}`);
}

/** Lists the statuses that an operation documents. Dredd leaves out ranges and the default, since no request deserves them. */
export function listStatuses({ responses }: Operation): readonly string[] {
  return Object.keys(responses).filter((status) => /^\d{3}$/.test(status));
}

/** A number that Dredd does not take for an integer. */
const A_FRACTION = 0.5;

/** Creates hooks that give each transaction what it needs, and the schema of openapi.yaml in place of the sample. */
export function createHooks(values: TransactionValues) {
  const contract = loadContract();
  const { operations } = contract;
  const schemas = createSchemas(contract);
  const ids = new WeakMap<DreddTransaction, string>();
  let { id: existingId, categoryId } = values;

  /** Returns the operation and the status that a transaction is about, such as `listPets 200`. */
  const identify = (transaction: DreddTransaction): string => {
    const { origin, request, expected } = transaction;
    const ofPath = operations.filter(({ path }) => path === origin.resourceName);
    const { operationId } = ofPath.find(({ method }) => method === request.method) ?? {};
    // The status is that of the compiled transaction: a hook may tolerate another one later.
    const id = ids.get(transaction) ?? `${operationId} ${expected.statusCode}`;
    ids.set(transaction, id);
    return id;
  };

  const prepare: Readonly<Record<string, (transaction: DreddTransaction) => void>> = {
    'listPets 400': (transaction) => requestPath(transaction, '/pets?limit=0'),
    'createPet 201': ({ request }) => {
      request.body = printPet(values.name, categoryId);
    },
    'createPet 400': ({ request }) => {
      request.body = '{}';
    },
    'createPet 401': ({ request }) => {
      request.body = printPet(values.name, categoryId);
    },
    'getPet 200': (transaction) => {
      if (existingId === undefined) transaction.skip = true;
      else requestPath(transaction, `/pets/${existingId}`);
    },
    'getPet 404': (transaction) => requestPath(transaction, `/pets/${UNKNOWN_ID}`),
  };

  const beforeEach = (transaction: DreddTransaction) => {
    const id = identify(transaction);
    const { request, expected } = transaction;
    if (values.skipped.includes(id)) transaction.skip = true;
    prepare[id]?.(transaction);
    if (expected.statusCode !== '401') request.headers.Authorization = `Bearer ${values.apiKey}`;
    // A sample requires every member that it has, such as a status. A schema requires what is required.
    delete expected.body;
    const schema = schemas[id];
    // A response without a documented body, such as a 204, has no body to compare.
    if (schema !== undefined) expected.bodySchema = schema;
  };

  const beforeEachValidation = (transaction: DreddTransaction) => {
    const { real } = transaction;
    if (real === undefined) return;
    tolerateText(real);
    tolerateMediaType(real);
    real.body = exposeFractions(shortenList(cutNested(real.body ?? '')));
    const id = identify(transaction);
    if (id === 'listPets 400') tolerateStatus(transaction);
    if (id === 'listPets 200') readFirstAnimal(real.body);
    if (id === 'createPet 201' && real.statusCode === 201) readFirstAnimal(`[${real.body}]`);
  };

  /** The specification documents no 400 for a list: a deployment may refuse the limit in another way, or list animals. */
  const tolerateStatus = ({ real, expected }: DreddTransaction) => {
    const { statusCode = 0 } = real ?? {};
    const isRefusal = statusCode >= 400 && statusCode < 500;
    if (!isRefusal && statusCode !== 200) return;
    expected.statusCode = String(statusCode);
    expected.bodySchema = schemas[isRefusal ? 'listPets 400' : 'listPets 200'] ?? {};
  };

  const readFirstAnimal = (body: string) => {
    const [first] = readList(body);
    if (first === undefined || !isJsonObject(first)) return;
    existingId ??= toDigits(first.id);
    categoryId ??= toDigits(first.categoryId);
  };

  return { identify, beforeEach, beforeEachValidation };
}

/** Requests another path under the path of the endpoint, which the compiled path follows. */
function requestPath(transaction: DreddTransaction, uri: string): void {
  const { fullPath, request } = transaction;
  const base = fullPath.slice(0, fullPath.length - request.uri.length);
  transaction.fullPath = `${base}${uri}`;
  request.uri = uri;
}

function printPet(name: string, categoryId = '1'): string {
  return printExactJson({ name, categoryId: BigInt(categoryId) });
}

/**
 * Makes text of a body that Dredd takes for binary, which it does for the character U+FFFD, and removes a byte order mark,
 * which a parser may ignore. Source: RFC 8259, section 8.1
 */
function tolerateText(real: NonNullable<DreddTransaction['real']>): void {
  const { body, bodyEncoding } = real;
  if (body === undefined) return;
  try {
    // The decoder removes the byte order mark.
    real.body = decodeUtf8(toBytes(body, bodyEncoding));
  } catch {
    // Dredd finds no JSON in it, and repeats it for people, who read no base64.
    real.body = `not UTF-8: ${toBytes(body, bodyEncoding)}`;
  }
  real.bodyEncoding = 'utf-8';
}

function toBytes(body: string, bodyEncoding: string | undefined): Buffer {
  return Buffer.from(body, bodyEncoding === 'base64' ? 'base64' : 'utf8');
}

/** Removes the parameters of a media type, since Dredd compares it to the letter. Case is no difference to Dredd. */
function tolerateMediaType({ headers }: NonNullable<DreddTransaction['real']>): void {
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  if (type !== '') headers['content-type'] = type.trim();
}

/**
 * Replaces fractions that a double rounds to an integer, such as 9007199254740993.5, by one that stays a fraction: the digits
 * of a number decide whether it is an integer.
 */
function exposeFractions(json: string): string {
  if (!mayLoseDigits(json)) return json;
  let isRounded = false;
  try {
    const exposed = JSON.parse(json, (_name, value, { source = '' }) => {
      if (typeof value !== 'number') return value;
      if (!isRoundedFraction(source)) return JSON.rawJSON(source);
      isRounded = true;
      return A_FRACTION;
    });
    return isRounded ? JSON.stringify(exposed) : json;
  } catch {
    // Dredd says what is wrong with it.
    return json;
  }
}

/** How deeply a body may be nested. The schemas of openapi.yaml describe three levels. */
const MOST_LEVELS = 100;

/**
 * Empties the arrays and objects that are nested too deeply, since Dredd ends at thousands of levels. They keep their types, so
 * that a body matches its schema if it did before: a member that no schema names may be nested.
 */
function cutNested(json: string): string {
  let depth = 0;
  let isInString = false;
  let cut = '';
  let start = 0;
  for (const { 0: token, index } of json.matchAll(/\\.|["[\]{}]/g)) {
    if (token === '"') isInString = !isInString;
    if (isInString || token === '"') continue;
    const isOpening = token === '[' || token === '{';
    if (isOpening) depth += 1;
    const isAtBound = depth === MOST_LEVELS;
    if (isAtBound && isOpening) cut += json.slice(start, index + 1);
    if (isAtBound && !isOpening) start = index;
    if (!isOpening) depth -= 1;
  }
  return cut !== '' && isJson(json) ? `${cut}${json.slice(start)}` : json;
}

/**
 * Shortens a list that is far too long, since Dredd fails at a hundred thousand wrong animals. Other clauses count the animals.
 */
function shortenList(json: string): string {
  try {
    // Without a reviver, since one takes seconds for a million numbers.
    const list = JSON.parse(json);
    const isLong = Array.isArray(list) && list.length > MOST_ELEMENTS;
    return isLong ? JSON.stringify(list.slice(0, MOST_ELEMENTS)) : json;
  } catch {
    // Dredd says what is wrong with it.
    return json;
  }
}

/** Returns the elements of a list, or none if the body is no list. */
function readList(json: string): readonly ExactJson[] {
  try {
    const list = parseExactJson(json);
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}

function toDigits(value: ExactJson | undefined): string | undefined {
  return typeof value === 'bigint' ? String(value) : undefined;
}

/** Creates a JSON Schema for each documented response, with everything that it refers to, by id: `listPets 200`. */
function createSchemas(contract: Contract): Readonly<Record<string, object>> {
  const { operations, schemas } = contract;
  const $schema = 'http://json-schema.org/draft-07/schema#';
  const documented = operations.flatMap(({ operationId, responses }) =>
    Object.entries(responses).flatMap(([status, { content }]) => {
      const schema = jsonSchemaOf(content);
      if (schema === undefined) return [];
      return [[`${operationId} ${status}`, { $schema, components: { schemas }, allOf: [schema] }] as const];
    }),
  );
  // Dredd's validator knows the formats of JSON Schema only.
  const all = Object.fromEntries(documented);
  return JSON.parse(JSON.stringify(all, (key, value) => (key === 'format' ? undefined : value)));
}
