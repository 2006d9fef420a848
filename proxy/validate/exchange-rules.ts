import type { AnimalFacts, Member } from '../../common/json/animal-facts.ts';
import { isInt64, parseInt64 } from '../../common/json/int64.ts';
import { LOWEST_ERROR_STATUS } from '../exchange.ts';
import { toReceived } from './received.ts';
import { isObject, type JsonObject } from './repeated-members.ts';
import type { Fault, Rule } from './rule.ts';

type Parameter = readonly [name: string, value: string];

/** An exchange as the rules read it. Its JSON has all digits, as `JsonBody` says. */
interface RuledExchange {
  readonly operationId: string | undefined;
  /** What the contract says about animals and their lists. */
  readonly facts: AnimalFacts;
  /** Path under the base URL, as sent. */
  readonly path: string;
  /** Names and values of the query; undefined if services may split it in another way. */
  readonly parameters: readonly Parameter[] | undefined;
  /** JSON of the request; undefined for another body. */
  readonly sent: unknown;
  readonly status: number;
  /** JSON of the response; undefined for another body, such as the page of a gateway. */
  readonly body: unknown;
}

/**
 * The rules for one exchange, which openapi.yaml cannot say. Each has the id of the clause of the contract suite that has the same rule. It
 * finds nothing if services may read the exchange in more than one way.
 */
export const exchangeRules: readonly Rule<RuledExchange>[] = [
  {
    id: 'list-pets/limit-is-a-maximum',
    meaning: 'A list has no more animals than limit',
    severity: 'error',
    find(exchange) {
      const limit = readOnce(exchange, 'limit');
      return isLimit(limit, exchange.facts) ? findTooLong(exchange, Number(limit)) : [];
    },
  },
  {
    id: 'list-pets/limit-default',
    meaning: 'A list without limit has no more animals than the default',
    severity: 'error',
    find(exchange) {
      const { usual } = exchange.facts.limit;
      return usual !== undefined && readOnce(exchange, 'limit') === null ? findTooLong(exchange, usual) : [];
    },
  },
  {
    id: 'list-pets/limit-most-100',
    meaning: 'A list has no more animals than the largest limit, whatever limit is',
    severity: 'error',
    find(exchange) {
      const { most } = exchange.facts.limit;
      const limit = readOnce(exchange, 'limit');
      // Another rule has a smaller number for these.
      const isOfOther = limit === null || isLimit(limit, exchange.facts);
      return most !== undefined && !isOfOther ? findTooLong(exchange, most) : [];
    },
  },
  {
    id: 'list-pets/filters',
    meaning: 'A list with a filter shows only animals that match it',
    severity: 'error',
    find(exchange) {
      const list = readList(exchange);
      return exchange.facts.filters.flatMap((filter) => {
        const expected = readText(filter, readOnce(exchange, filter.name));
        if (expected === undefined) return [];
        return list.flatMap(({ [filter.name]: received }, index) => {
          const value = readMember(filter, received);
          const isOther = value !== undefined && value !== expected;
          return isOther ? [breach([`${index}`, filter.name], received, expected)] : [];
        });
      });
    },
  },
  {
    id: 'list-pets/unique-ids',
    meaning: 'No two animals in a list have the same id',
    severity: 'error',
    find(exchange) {
      const seen = new Set<bigint>();
      return readList(exchange).flatMap(({ id: received }, index) => {
        const id = toInt64(received);
        if (id === undefined) return [];
        if (seen.has(id)) return [breach([`${index}`, 'id'], received)];
        seen.add(id);
        return [];
      });
    },
  },
  {
    id: 'get-pet/right-animal',
    meaning: 'The id of the animal is the one in the path',
    severity: 'error',
    find({ operationId, path, status, body }) {
      if (operationId !== 'getPet' || status !== 200 || !isObject(body)) return [];
      const expected = parseInt64(path.replace(/^.*\//s, ''));
      const id = toInt64(body.id);
      const isOther = expected !== undefined && id !== undefined && id !== expected;
      return isOther ? [breach(['id'], body.id, expected)] : [];
    },
  },
  {
    id: 'create-pet/echoes',
    meaning: 'A new animal has the members that were sent',
    severity: 'error',
    find({ operationId, sent, status, body, facts }) {
      if (operationId !== 'createPet' || status !== 201 || !isObject(sent) || !isObject(body)) return [];
      return facts.newPet.flatMap((member) => {
        const { name, isRequired } = member;
        const expected = readMember(member, sent[name]);
        const received = readMember(member, body[name]);
        // The schema reports a value that is not valid, and a required member that is not there.
        const isReported = received === undefined && (isRequired || Object.hasOwn(body, name));
        const isOther = expected !== undefined && received !== expected && !isReported;
        return isOther ? [breach([name], received, expected)] : [];
      });
    },
  },
  {
    id: 'errors/status',
    meaning: 'The status in an Error is the HTTP status',
    severity: 'error',
    find({ status, body }) {
      if (status < LOWEST_ERROR_STATUS || !isObject(body)) return [];
      const isError = typeof body.code === 'string' && typeof body.message === 'string';
      const received = toInt64(body.status);
      const isOther = isError && received !== undefined && received !== BigInt(status);
      return isOther ? [breach(['status'], received, status)] : [];
    },
  },
];

/** A place in the body that breaks a rule, with the value there. @param expected absent if the meaning of the rule says it all */
function breach(keys: readonly string[], received: unknown, expected?: unknown): Fault {
  return {
    location: ['response', 'body', ...keys],
    wanted: expected === undefined ? undefined : toReceived(expected),
    received: toReceived(received),
  };
}

/** Reads a value of a member, so that two are the same if they are equal; undefined for one that is not valid. */
function readMember({ type, format, values }: Member, value: unknown): unknown {
  if (type === 'integer') return toInt64(value);
  if (type === 'boolean') return typeof value === 'boolean' ? value : undefined;
  if (type !== 'string' || typeof value !== 'string') return undefined;
  if (values !== undefined) return values.find((one) => one === value);
  // One point in time has several notations.
  if (format === 'date-time') return toTime(value);
  // UTF-8 has no half of a surrogate pair, so that services cannot keep one.
  return value.isWellFormed() ? value : undefined;
}

/** Reads the value of a filter; undefined if services may find another value. */
function readText(filter: Member, text: string | null | undefined): unknown {
  if (typeof text !== 'string') return undefined;
  if (filter.type === 'integer') return parseInt64(text);
  return readMember(filter, filter.type === 'boolean' ? booleans.get(text) : text);
}

const booleans = new Map([
  ['true', true],
  ['false', false],
]);

function toTime(text: string): string | undefined {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

function findTooLong(exchange: RuledExchange, limit: number): Fault[] {
  const list = readList(exchange);
  return list.length > limit ? [breach([], list, limit)] : [];
}

/** Reads the animals of a list; none of another response. */
function readList({ operationId, status, body }: RuledExchange): readonly JsonObject[] {
  const isList = operationId === 'listPets' && status === 200 && Array.isArray(body) && body.every(isObject);
  return isList ? body : [];
}

/** Returns the value of a query parameter, null without one, or undefined if services may find another value. */
function readOnce({ parameters }: RuledExchange, name: string): string | null | undefined {
  if (parameters === undefined) return undefined;
  const toLetters = (key: string) => key.replaceAll(/[^a-z]/gi, '').toLowerCase();
  const [first, ...others] = parameters.filter(([key]) => toLetters(key) === toLetters(name));
  if (first === undefined) return null;
  const [key, value] = first;
  return others.length === 0 && key === name ? value : undefined;
}

/** Returns whether a text is an integer in plain digits that the contract allows as a limit. */
function isLimit(text: string | null | undefined, { limit: { least = 1, most } }: AnimalFacts): boolean {
  if (typeof text !== 'string' || !/^[1-9]\d{0,14}$/.test(text)) return false;
  const limit = Number(text);
  return limit >= least && (most === undefined || limit <= most);
}

function toInt64(value: unknown): bigint | undefined {
  const integer = typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value;
  return isInt64(integer) ? integer : undefined;
}
