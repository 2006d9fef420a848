import { LARGEST_CATEGORY } from '../behaviour/choices.ts';
import { type ExactJson, type JsonObject, printExactJson } from '../json/exact-json.ts';
import { isInt64 } from '../json/int64.ts';
import type { Exchange, SeenRequest } from './exchange.ts';
import type { FinishedRun, Observation, Observers } from './finished-run.ts';
import {
  furtherOf,
  hasMemberTwice,
  isPlainName,
  isValid,
  membersOf,
  observe,
  toRefusal,
} from './finished-run.ts';
import { isStatus, LONGEST, MOST_LISTED } from './lists.ts';
import { isLikelyLimit, lengthOf, observeNameBounds } from './name-bounds.ts';
import { hasNotation, isRefusedAsFull } from './new-pet.ts';

/** A longer body may be refused for its size, in characters. */
const LONGEST_USUAL_BODY = 1_000;

/** No service that limits names allows one as long as this, in characters. */
const LONG_NAME = 1_000;

/** How much of a name shows its form, in characters. */
const FORM_LENGTH = 10;

/** Ids above this one are not exact in a double. */
const LARGEST_EXACT = 2n ** 53n;

/** How often an id may be smaller than the one before it without being random. */
const MOST_EXCEPTIONS = 2;

/** Random ids with more digits are those up to 2^53. */
const MOST_RANDOM_DIGITS = 15;

/** The time has 13 digits in milliseconds, and up to 16 in microseconds. */
const LEAST_OF_TIME = 10n ** 12n;

/** How long additions have to go on to show that ids grow with the time, in ms. */
const LEAST_TIME = 500;

/** How much a clock may differ from the growth of ids, in ms. */
const CLOCK_SLACK = 50;

/** Number of additions that show how ids are made. */
const ENOUGH = 8;

/** The status of a refusal for a taken name or for a full store. */
const CONFLICT = 409;

const NOT_CREATED = 'no response to POST shows it';

/** The form of an empty name. */
export const EMPTY = /^$/;

/** The form of names that are spaces only. */
export const BLANK = /^ +$/;

/** Observers of POST /pets. In a read-only run all of them are unknown. */
export const creationObservers: Observers = {
  statusWhenOmitted: ({ additions, fetches }) => {
    // Of a further member, a service may read the status, as of `Status`.
    const without = additions.filter(
      (post) => isValid(post.sent) && post.sent.status === undefined && !hasFurther(post),
    );
    const ids = new Set(without.map(({ id }) => id));
    const fetched = fetches.filter(({ requestedId, animal }) => ids.has(requestedId) && animal !== undefined);
    return observe([...without, ...fetched], ({ animal }) => String(animal?.status ?? 'absent'));
  },
  unknownMembers: (run) => {
    const { longest } = observeNameBounds(run);
    // A long body may be refused for its size.
    const isUsual = ({ sent, request }: Exchange) =>
      (request.body?.length ?? 0) < LONGEST_USUAL_BODY &&
      String(sent.name).length <= longest &&
      run.isAccepted(sent.categoryId);
    const answered = run.newPosts.filter((post) => !isRefusedAsFull(post, run.target));
    const further = answered.filter((post) => isUsual(post) && ('id' in post.sent || hasFurther(post)));
    return observe(further, (post) => {
      if (!post.isAddition) return isPlainName(post.sent.name) ? toRefusal(post) : undefined;
      return classifyFurther(post);
    });
  },
  longestName: observeLongestName,
  duplicateMembers: (run) => {
    const twice = run.posts.filter((post) => namesOf(post).length > 1 && !isRefusedAsFull(post, run.target));
    return observe(twice, (post) => {
      if (!post.isAddition) return run.isAccepted(post.sent.categoryId) ? toRefusal(post) : undefined;
      const [first] = namesOf(post);
      const { name } = post.animal ?? {};
      if (first === post.sent.name) return undefined;
      if (name === first) return 'first';
      return name === post.sent.name ? 'last' : 'another name';
    });
  },
  emptyNames: (run) => {
    const empty = observeNameLike(run, EMPTY, 'accepted', 'refused');
    const blank = observeNameLike(run, BLANK, 'refused', 'blank');
    return mergeEmptyNames(empty, blank);
  },
  uniqueNames: observeUniqueNames,
  categories: observeCategories,
  ids: observeIds,
  integerNotations: (run) => {
    const isConclusive = (post: Exchange) =>
      post.isAddition || (run.isAccepted(post.sent.categoryId) && isSimilarAccepted(run, post));
    const unusual = run.newPosts.filter((post) => hasNotation(post) && isConclusive(post));
    return observeAccepted(unusual, 'accepted', 'refused');
  },
  refusedMember: observeRefusedMember,
  otherMediaTypes: observeMediaTypes,
  fullStore: (run) => {
    const { posts, additions, target } = run;
    const isFull = (post: Exchange) => isRefusedAsFull(post, target) && !isPerhapsTaken(post, run);
    if (posts.some((post) => isValid(post.sent) && isFull(post)))
      return { unknown: 'it refused animals as a full store does' };
    const isMany = additions.length > 10;
    return isMany ? { value: 'never', evidence: additions.slice(-1) } : { unknown: NOT_CREATED };
  },
};

/** The status of a refusal for the media type. Source: RFC 9110, section 15.5.16 */
export const UNSUPPORTED_MEDIA_TYPE = 415;

/** Observes valid bodies of other media types. Another refusal than a 415 may be for what the body has, if it was read. */
function observeMediaTypes(run: FinishedRun): Observation {
  const pattern = /^(?:text\/plain|application\/x-www-form-urlencoded)$/;
  const others = run.postsOfOtherTypes.filter(({ request }) =>
    pattern.test(request.headers['Content-Type'] ?? ''),
  );
  return observe(others, (post) => {
    // A form may have been read as a form.
    if (post.isAddition) return isValid(post.sent) ? 'read' : undefined;
    if (post.status === UNSUPPORTED_MEDIA_TYPE) return post.status;
    return post.status === 429 || !isAcceptedAsJson(post, run) ? undefined : post.status;
  });
}

/** Returns whether a deployment that reads a body certainly accepts it: an animal like it was accepted. */
function isAcceptedAsJson(post: Exchange, run: FinishedRun): boolean {
  const { longest } = observeNameBounds(run);
  const isUsual = hasUsualMembers(post, run) && !hasNotation(post) && !hasMemberTwice(post);
  const isUsualName =
    isPlainName(post.sent.name) && lengthOf(post) <= longest && isSimilarAccepted(run, post);
  const isNew = !run.isTaken(post) && !run.isTakenInOtherCase(post);
  return isUsual && isUsualName && isNew && !isRefusedAsFull(post, run.target);
}

/** Observes whether names of a form are accepted. @param accepted the value if they are @param refused the value if not */
export function observeNameLike(
  run: FinishedRun,
  form: RegExp,
  accepted: string,
  refused: string,
): Observation {
  const posts = run.usualPosts.filter(
    ({ sent }) => form.test(String(sent.name)) && run.isAccepted(sent.categoryId),
  );
  const isConclusive = (post: Exchange) => post.isAddition || !mayBeTooShort(post, run);
  const observation = observeAccepted(posts.filter(isConclusive), accepted, refused);
  const isRefused = 'value' in observation && observation.value === refused;
  const isPerhapsTaken = posts.some(({ sent }) => mayBeTaken(run, String(sent.name)));
  return isRefused && isPerhapsTaken ? { unknown: 'another animal may have the name' } : observation;
}

/** Returns whether a name may be refused for its length, because no accepted one is as short. The empty name has a choice of its own. */
export function mayBeTooShort(post: Exchange, { namedAdditions }: FinishedRun): boolean {
  return lengthOf(post) > 0 && namedAdditions.every((one) => lengthOf(one) > lengthOf(post));
}

/** Merges what was observed of empty names, and of names that are spaces only. The second has the value if empty ones are refused. */
export function mergeEmptyNames(empty: Observation, blank: Observation): Observation {
  if ('unknown' in empty) return empty;
  if (empty.value === 'accepted') {
    const isBlankRefused = 'value' in blank && blank.value === 'blank';
    return isBlankRefused ? { unknown: 'responses differ' } : empty;
  }
  if (empty.value !== 'refused') return empty;
  if ('unknown' in blank) return { unknown: 'empty names are refused, perhaps also those of spaces only' };
  const evidence = [...empty.evidence.slice(0, 1), ...blank.evidence.slice(0, 1)];
  return { value: blank.value, evidence };
}

/** Observes whether a name that an earlier animal of the run has is refused. */
export function observeTakenNames(run: FinishedRun): Observation {
  const again = run.posts.filter((post) => run.isTaken(post) && hasUsualMembers(post, run));
  return observe(again, (post) => (post.isAddition ? 'no' : toTakenRefusal(post, run)));
}

/** Returns the value of the refusal of a taken name. A 409 shows one only if the store was not full. */
export function toTakenRefusal(post: Exchange, { additions }: FinishedRun): string | undefined {
  if (post.status !== CONFLICT) return toRefusal(post, 'required');
  return additions.some(({ at }) => at >= post.end) ? 'conflict' : undefined;
}

/** Returns the value of a deployment that refuses taken names in any case. @param value of one that refuses the same case */
export function toAnyCase(value: unknown): string {
  return value === 'conflict' ? 'conflictIgnoringCase' : 'ignoringCase';
}

/** Returns whether the name of a refused animal may be taken: the store may have other names before the run than new ones. */
function isPerhapsTaken(post: Exchange, run: FinishedRun): boolean {
  const taken = observeTakenNames(run);
  const isConflict = 'value' in taken && taken.value === 'conflict' && post.status === CONFLICT;
  const name = String(post.sent.name).toLowerCase();
  // Another animal may have got the name at the same time.
  const isAdded = run.additions.some(({ sent }) => String(sent.name).toLowerCase() === name);
  return isConflict && (isAdded || !isPlainName(post.sent.name));
}

/** Observes whether a taken name is refused, and if so also in another case. */
function observeUniqueNames(run: FinishedRun): Observation {
  const taken = observeTakenNames(run);
  if (!('value' in taken) || (taken.value !== 'required' && taken.value !== 'conflict')) return taken;
  const inOtherCase = run.posts.filter((post) => run.isTakenInOtherCase(post) && hasUsualMembers(post, run));
  const accepted = inOtherCase.filter(({ isAddition }) => isAddition);
  if (accepted.length > 0) return { ...taken, evidence: [...taken.evidence, ...accepted].slice(0, 2) };
  const mayHaveUpperCase = run.additions.some(({ sent }) => /[A-Z]{2}/.test(`${sent.name}`));
  const refused = inOtherCase.filter(
    (post) =>
      toTakenRefusal(post, run) === taken.value &&
      isPlainName(post.sent.name) &&
      isSimilarAccepted(run, post),
  );
  if (refused.length === 0 || !mayHaveUpperCase)
    return { unknown: 'taken names are refused, perhaps also in another case' };
  return { value: toAnyCase(taken.value), evidence: refused.slice(0, 2) };
}

/** Returns whether a body is valid, with an accepted category and no further members. */
function hasUsualMembers({ sent }: Exchange, run: FinishedRun): boolean {
  const isUsual = isValid(sent) && furtherOf(sent).length === 0 && !('id' in sent);
  return isUsual && run.isAccepted(sent.categoryId);
}

/** Returns whether names are unique, and an animal has this one, perhaps one that no list has shown. */
export function mayBeTaken(run: FinishedRun, name: string): boolean {
  const taken = observeTakenNames(run);
  if (!('value' in taken) || taken.value === 'no') return false;
  const isListed = run.lists.some(({ animals }) => animals.some((animal) => animal.name === name));
  const isWhole = ({ animals }: Exchange) => animals.length > 0 && animals.length < MOST_LISTED;
  return isListed || !run.listsOf(LONGEST).some(isWhole);
}

const hasFurther = ({ sent }: Exchange) => furtherOf(sent).length > 0;

/** Returns the names that a body gives an animal. */
function namesOf(post: Exchange): unknown[] {
  const names = membersOf(post).filter(([name]) => name === 'name');
  return names.map(([, source]) => JSON.parse(source));
}

/** Returns what an accepted body shows of its further members, except those that the service may know or set itself. */
function classifyFurther({ sent, animal = {} }: Exchange): string | undefined {
  const isOfNewPet = (name: string) => /^(?:id|name|categoryId|status)$/i.test(name);
  const print = (value: ExactJson | undefined) => (value === undefined ? undefined : printExactJson(value));
  // Every object has a member such as __proto__, but not as its own.
  const keptOf = (name: string) => (Object.hasOwn(animal, name) ? animal[name] : undefined);
  const unknown = furtherOf(sent).filter((name) => !isOfNewPet(name));
  if (unknown.some((name) => print(keptOf(name)) === print(sent[name]))) return 'keep';
  const ignored = unknown.filter((name) => keptOf(name) === undefined);
  return ignored.length > 0 ? 'ignore' : undefined;
}

/** Observes the longest name that agrees with what was accepted and refused. */
function observeLongestName(run: FinishedRun): Observation {
  const { longest, refusal } = observeNameBounds(run);
  const accepted = run.namedAdditions.filter((one) => lengthOf(one) === longest).slice(0, 1);
  if (refusal === undefined)
    return longest > LONG_NAME ? { value: 'any', evidence: accepted } : { unknown: NOT_CREATED };
  if (lengthOf(refusal) <= longest) return { unknown: 'responses differ' };
  // A short name that is refused may be too long as well.
  const isRefusedBetween = (post: Exchange) =>
    !post.isAddition &&
    isPlainName(post.sent.name) &&
    run.isAccepted(post.sent.categoryId) &&
    lengthOf(post) > longest &&
    lengthOf(post) < lengthOf(refusal);
  if (run.usualPosts.some(isRefusedBetween)) return { unknown: 'shorter names are refused, too' };
  const value = lengthOf(refusal) - 1;
  // Any other length was refused by chance, so that the limit may be far below it.
  if (!isLikelyLimit(value, refusal) && value !== longest)
    return { unknown: 'the limit is not certain enough' };
  return { value, evidence: [...accepted, refusal] };
}

/** Returns whether an animal was accepted whose name begins in the same form. */
function isSimilarAccepted({ additions }: FinishedRun, { sent }: Exchange): boolean {
  const formOf = (name: unknown) =>
    String(name)
      .slice(0, FORM_LENGTH)
      .replaceAll(/[a-z]/g, 'a')
      .replaceAll(/[A-Z]/g, 'A')
      .replaceAll(/\d/g, '0');
  return additions.some((one) => formOf(one.sent.name) === formOf(sent.name));
}

/** Observes whether animals are accepted, or refused with 400. */
function observeAccepted(posts: readonly Exchange[], accepted: string, refused: string): Observation {
  return observe(posts, (post) => (post.isAddition ? accepted : toRefusal(post, refused)));
}

/** What a message about a member has, also if it names a member in other words, such as "category id". */
const namesInMessages = { name: /\bname\b/i, categoryId: /category/i, status: /\bstatus\b/i } as const;

/** Observes whether the messages of 400s name the one member that is wrong or missing. */
function observeRefusedMember(run: FinishedRun): Observation {
  const refused = run.posts.filter(
    ({ status, object }) => status === 400 && typeof object?.message === 'string',
  );
  return observe(refused, ({ sent, object, request }) => {
    const member = isPlainJson(request) ? findWrongMember(sent) : undefined;
    if (member === undefined) return undefined;
    return namesInMessages[member].test(`${object?.message}`) ? 'named' : 'absent';
  });
}

/** Returns whether a body is an object in UTF-8 that is sent as JSON: another one may be refused before its members are read. */
export function isPlainJson({ headers, body = '', encoding }: SeenRequest): boolean {
  const isJson = /^application\/json/i.test(headers['Content-Type'] ?? '');
  return (
    isJson && headers['Content-Encoding'] === undefined && encoding === undefined && body.startsWith('{')
  );
}

/** Returns the only member of a body that is wrong or missing, unless its value is one that parsers may fail at. */
export function findWrongMember(sent: JsonObject): keyof typeof namesInMessages | undefined {
  const { name, categoryId, status } = sent;
  const isPlain = (value: unknown) =>
    value === null || ['undefined', 'string', 'boolean'].includes(typeof value);
  const wrong = [
    ...(typeof name === 'string' ? [] : [{ member: 'name', value: name } as const]),
    ...(isInt64(categoryId) ? [] : [{ member: 'categoryId', value: categoryId } as const]),
    ...(status === undefined || isStatus(status) ? [] : [{ member: 'status', value: status } as const]),
  ];
  const [first, ...others] = wrong;
  const hasOthers = others.length > 0 || furtherOf(sent).length > 0 || 'id' in sent;
  return first === undefined || hasOthers || !isPlain(first.value) ? undefined : first.member;
}

function observeCategories(run: FinishedRun): Observation {
  const before = run.lists.filter(({ end }) => end <= (run.posts[0]?.at ?? 0));
  const listed = before.flatMap(({ animals }) => animals.map(({ categoryId }) => categoryId));
  // The category that the user gives exists, though no animal has it.
  const known = new Set([...listed, run.target.categoryId]);
  const { longest } = observeNameBounds(run);
  const isConclusive = (post: Exchange) => {
    const { name } = post.sent;
    const isUsual = String(name).length <= longest && isSimilarAccepted(run, post);
    return post.isAddition || (isUsual && (isPlainName(name) || !mayBeTaken(run, `${name}`)));
  };
  const isUnlisted = ({ sent }: Exchange) => !known.has(sent.categoryId) && isUsualSize(sent.categoryId);
  const isUsualSize = (id: unknown) => Math.abs(Number(id)) <= LARGEST_CATEGORY;
  // An animal shows that its category is accepted, in whatever notation.
  const candidates = new Set([...run.usualPosts, ...run.additions.filter(({ sent }) => isValid(sent))]);
  const posts = [...candidates].filter((post) => isUnlisted(post) && isConclusive(post));
  const observeThose = (isPositive: boolean) => {
    const own = posts.filter(({ sent }) => Number(sent.categoryId) > 0 === isPositive);
    return observeAccepted(own, 'accepted', 'refused');
  };
  const [positive, others] = [observeThose(true), observeThose(false)];
  // An animal that no list has shown may have an accepted category.
  const most = Math.max(0, ...run.lengthsOf(LONGEST));
  const isWhole = ({ path, animals }: Exchange) => path === `/pets${LONGEST}` && animals.length < most;
  const largest = before.some(isWhole) ? observeLargestCategory(posts) : undefined;
  if ('unknown' in positive) return largest ?? positive;
  if (positive.value === 'refused') return { ...positive, value: 'known' };
  if ('unknown' in others) return others;
  const evidence = [...positive.evidence, ...others.evidence];
  return { value: others.value === 'accepted' ? 'any' : 'positive', evidence };
}

/** Observes whether categories from 1 to a number are accepted, and all others refused: the largest number that agrees. */
function observeLargestCategory(posts: readonly Exchange[]): Observation | undefined {
  const categoryOf = ({ sent }: Exchange) => Number(sent.categoryId);
  const sorted = posts.toSorted((one, other) => categoryOf(one) - categoryOf(other));
  const isRefused = ({ status }: Exchange) => status === 400;
  const refusal = sorted.find((post) => isRefused(post) && categoryOf(post) > 0);
  const others = sorted.filter((post) => isRefused(post) && categoryOf(post) < 1);
  const accepted = sorted.filter(({ isAddition }) => isAddition);
  if (refusal === undefined || others.length === 0 || accepted.length === 0) return undefined;
  const largest = categoryOf(refusal) - 1;
  const isWithin = (post: Exchange) => categoryOf(post) >= 1 && categoryOf(post) <= largest;
  const agrees = (post: Exchange) =>
    post.status === 429 || (isWithin(post) ? post.isAddition : isRefused(post));
  if (!posts.every(agrees)) return undefined;
  return { value: largest, evidence: [...accepted.slice(-1), refusal] };
}

function observeIds({ additions }: FinishedRun): Observation {
  const ids = additions.map(({ id }) => id ?? 0n);
  if (ids.length < ENOUGH) return { unknown: NOT_CREATED };
  const evidence = additions.slice(0, 2);
  if (ids.every((id) => id < 0n)) return { value: 'negative', evidence };
  if (ids.every((id) => id > LARGEST_EXACT)) return { value: 'large', evidence };
  if (ids.some((id) => id < 1n || id > LARGEST_EXACT)) return { value: 'of both signs', evidence };
  const [first, ...others] = additions;
  let last = first;
  let falls = 0;
  for (const one of others) {
    if (last === undefined || one.at < last.end) continue;
    if ((one.id ?? 0n) < (last.id ?? 0n)) falls += 1;
    last = one;
  }
  if (falls > MOST_EXCEPTIONS) return { value: nameRandom(ids), evidence };
  if (falls > 0) return { unknown: 'responses differ' };
  if (ids.some((id) => id < LEAST_OF_TIME)) return { value: 'next', evidence };
  if (growsWithTime(additions)) return { value: 'time', evidence };
  const distance = (ids.at(-1) ?? 0n) - (ids[0] ?? 0n);
  const isWithoutGaps = distance < ids.length;
  return isWithoutGaps
    ? { value: 'next', evidence }
    : { unknown: 'ids grow with gaps, but not with the time' };
}

/** Names random ids by the most digits that they have. Those up to 2^53 have 16. */
function nameRandom(ids: readonly bigint[]): string {
  const digits = Math.max(...ids.map((id) => `${id}`.length));
  return digits > MOST_RANDOM_DIGITS ? 'random' : `random:${digits}`;
}

/** Returns whether ids grow from the first addition to the last as fast as the time, which has 13 digits in milliseconds. */
function growsWithTime(additions: readonly Exchange[]): boolean {
  const [first, last] = [additions[0], additions.at(-1)];
  if (first?.id === undefined || last?.id === undefined) return false;
  const unit = 10 ** (`${first.id}`.length - `${LEAST_OF_TIME}`.length);
  const grown = Number(last.id - first.id) / unit;
  const [least, most] = [last.at - first.end, last.end - first.at];
  return least >= LEAST_TIME && grown >= least - CLOCK_SLACK && grown <= most + CLOCK_SLACK;
}
