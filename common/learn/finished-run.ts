import type { ChoiceName, ChoiceValue } from '../behaviour/choices.ts';
import type { JsonObject } from '../json/exact-json.ts';
import { isInt64 } from '../json/int64.ts';
import { splitMembers } from '../json/split-members.ts';
import type { Target } from './exchange.ts';
import { type Exchange, hasValidKey } from './exchange.ts';
import { isStatus } from './lists.ts';
import { hasNotation, isNewPet } from './new-pet.ts';

/** The value of a choice with the exchanges that show it, or why it is unknown. */
export type Observation =
  | { readonly value: ChoiceValue | string | number; readonly evidence: readonly Exchange[] }
  | {
      readonly unknown: string;
      /** True if the deployment does something for certain that no value describes. */
      readonly isUndescribed?: true;
    };

/** Observes a choice in a finished run. It sends nothing. */
export type Observers = { readonly [Name in ChoiceName]?: (run: FinishedRun) => Observation };

/** Returns the value that a choice has in something, or undefined. */
export type Classify<T> = (one: T) => string | number | undefined;

export const NOT_SHOWN = 'no response shows it';

/**
 * Observes the value that all conclusive exchanges show.
 * @param classify returns the value that an exchange shows, or undefined for an exchange that shows nothing. A value that the
 * choice does not have makes it unknown.
 */
export function observe(exchanges: readonly Exchange[], classify: Classify<Exchange>): Observation {
  const byValue = Map.groupBy(exchanges, classify);
  byValue.delete(undefined);
  const [first, ...others] = byValue;
  if (first === undefined) return { unknown: NOT_SHOWN };
  const [value = '', evidence] = first;
  return others.length > 0 ? { unknown: 'responses differ' } : { value, evidence: evidence.slice(0, 2) };
}

/** Returns the value of a 400, a value that no choice has for another error, and undefined for a 429. */
export function toRefusal({ status }: Exchange, value = 'refuse'): string | undefined {
  if (status === 400) return value;
  return status === 429 ? undefined : `status ${status}`;
}

/** The exchanges of a run in the order of their requests, except incomplete ones. */
export class FinishedRun {
  readonly all: readonly Exchange[];
  /** With the valid key. */
  readonly valid: readonly Exchange[];
  readonly lists: readonly Exchange[];
  /** POST /pets, except of another media type. */
  readonly posts: readonly Exchange[];
  /** POST /pets of another media type than JSON. */
  readonly postsOfOtherTypes: readonly Exchange[];
  readonly additions: readonly Exchange[];
  /** GET /pets/{petId} of an int64. */
  readonly fetches: readonly Exchange[];
  /** Statuses in responses that the contract does not have. */
  readonly unknownStatuses: ReadonlySet<string>;
  readonly target: Target;
  /** When a response first showed an animal, in ms since the run began, by the id of the animal. */
  readonly shownAt: ReadonlyMap<bigint, number>;
  /** Categories of listed animals that the run has not added. */
  readonly listedCategories: ReadonlySet<bigint>;

  constructor(journal: readonly Exchange[], target: Target) {
    this.target = target;
    const isComplete = ({ response, failure, request }: Exchange) =>
      response !== undefined && failure === undefined && request.base === target.baseUrl;
    this.all = journal.filter(isComplete).toSorted((one, other) => one.at - other.at);
    this.valid = this.all.filter((exchange) => hasValidKey(exchange, target));
    this.lists = this.valid.filter(({ isList }) => isList);
    const isCreation = ({ request }: Exchange) => request.method === 'POST' && request.path === '/pets';
    const creations = this.valid.filter(isCreation);
    this.posts = creations.filter(isJson);
    this.postsOfOtherTypes = creations.filter((one) => !isJson(one));
    this.additions = creations.filter(({ isAddition, id }) => isAddition && id !== undefined);
    const reads = this.valid.filter(({ request }) => request.method === 'GET');
    this.fetches = reads.filter(({ requestedId }) => requestedId !== undefined);
    const shown = this.all.flatMap(({ animals, object = {} }) => [...animals, object]);
    const unknown = shown.flatMap(({ status }) =>
      typeof status === 'string' && !isStatus(status) ? [status] : [],
    );
    this.unknownStatuses = new Set(unknown);
    this.shownAt = findFirstShown(this.all);
    const own = new Set(this.additions.map(({ id }) => id));
    const others = this.lists.flatMap(({ animals }) => animals).filter(({ id }) => !own.has(id as bigint));
    const categories = others.map(({ categoryId }) => categoryId);
    this.listedCategories = new Set(categories.filter((id) => typeof id === 'bigint'));
  }

  /** Hides all keys of the run in a text. */
  hide(text: string): string {
    return this.all[0]?.hide(text) ?? text;
  }

  /** Returns the lists with a query, such as `?limit=100`. */
  listsOf(...queries: readonly string[]): readonly Exchange[] {
    return this.lists.filter(({ path }) => queries.includes(path.slice('/pets'.length)));
  }

  /** Returns the numbers of animals in lists with these queries. */
  lengthsOf(...queries: readonly string[]): ReadonlySet<number> {
    return new Set(this.listsOf(...queries).map(({ animals }) => animals.length));
  }

  /** Returns the exchanges of GET /pets with one query parameter, and a value of it that is meant. */
  withParameter(name: string, isMeant: (value: string) => boolean): readonly Exchange[] {
    return this.valid.filter(({ request, path }) => {
      if (request.method !== 'GET' || !path.startsWith('/pets?')) return false;
      const [[only, value] = ['', ''], ...others] = new URLSearchParams(path.slice('/pets?'.length));
      return only === name && others.length === 0 && isMeant(value);
    });
  }

  /** POST requests of valid animals whose names no earlier animal has, in any case. */
  get newPosts(): readonly Exchange[] {
    return this.posts.filter((post) => {
      const { sent, at, isAddition } = post;
      const isBefore = (one: Exchange) => one !== post && (one.at < at || !isAddition);
      const name = toLowerCase(sent.name);
      const isTaken = this.additions.some((one) => toLowerCase(one.sent.name) === name && isBefore(one));
      return isValid(sent) && !isTaken;
    });
  }

  /** The new posts without further members and an id, without a member twice, and with a categoryId in plain digits. */
  get usualPosts(): readonly Exchange[] {
    return this.newPosts.filter((post) => {
      const hasOthers = 'id' in post.sent || furtherOf(post.sent).length > 0;
      return !hasOthers && !hasNotation(post) && !hasMemberTwice(post);
    });
  }

  /** The additions without a member twice, whose name may be either one. */
  get namedAdditions(): readonly Exchange[] {
    return this.additions.filter((one) => !hasMemberTwice(one));
  }

  /** Returns whether an animal that was added before has the name that a request sends. */
  isTaken({ sent, at }: Exchange): boolean {
    return this.additions.some((one) => one.sent.name === sent.name && one.end < at);
  }

  /** Returns whether an animal that was added before has the name that a request sends, but for its case. */
  isTakenInOtherCase(exchange: Exchange): boolean {
    const { sent, at } = exchange;
    const name = toLowerCase(sent.name);
    const isSame = (one: Exchange) => toLowerCase(one.sent.name) === name && one.end < at;
    return !this.isTaken(exchange) && this.additions.some(isSame);
  }

  /** Returns whether a category was accepted, written in plain digits. */
  isAccepted(categoryId: unknown): boolean {
    return this.additions.some((one) => one.sent.categoryId === categoryId && !hasNotation(one));
  }
}

/** Returns whether a request has the media type of JSON, or none. */
function isJson({ request }: Exchange): boolean {
  return /^application\/json/i.test(request.headers['Content-Type'] ?? 'application/json');
}

const toLowerCase = (name: unknown) => (typeof name === 'string' ? name.toLowerCase() : name);

function findFirstShown(exchanges: readonly Exchange[]): ReadonlyMap<bigint, number> {
  const shownAt = new Map<bigint, number>();
  for (const { animals, animal, end } of exchanges) {
    for (const { id } of animal === undefined ? animals : [animal])
      if (typeof id === 'bigint') shownAt.set(id, Math.min(end, shownAt.get(id) ?? end));
  }
  return shownAt;
}

/** Returns whether a body is a NewPet. */
export function isValid(sent: JsonObject): boolean {
  return isNewPet(sent) && isInt64(sent.categoryId);
}

/** Returns whether a body has a member twice, of which a service may read either one. */
export function hasMemberTwice(post: Exchange): boolean {
  const names = membersOf(post).map(([name]) => name);
  return new Set(names).size < names.length;
}

/** Returns the names and the sources of the members of a body, also those that it has twice. */
export function membersOf({ request, sent }: Exchange): readonly [name: string, source: string][] {
  return Object.keys(sent).length === 0 ? [] : splitMembers(request.body ?? '');
}

/** Returns the names of members that no animal has. */
export function furtherOf(object: JsonObject): string[] {
  return Object.keys(object).filter((name) => !/^(?:id|name|categoryId|status)$/.test(name));
}

/** Returns whether a name is one that few services refuse for its characters. */
export function isPlainName(name: unknown): name is string {
  return typeof name === 'string' && /^[\w. -]{5,}$/.test(name) && name === name.trim();
}
