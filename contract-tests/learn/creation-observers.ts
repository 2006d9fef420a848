import { choices } from '../../common/behaviour/choices.ts';
import type { Exchange } from '../client/exchange.ts';
import { isRefusedAsFull } from '../model/additions.ts';
import {
  type FinishedRun,
  furtherOf,
  hasNotation,
  isPlainName,
  isValid,
  NOT_SHOWN,
  type Observation,
  type Observers,
  OTHER,
  observe,
  toRefusal,
} from './finished-run.ts';

/** Number of additions that show how ids are made. */
const ENOUGH = 8;

const LONGEST_USUAL = 1_000;

const NOT_CREATED = 'no response to POST shows it';

/** Observers of POST /pets. In a read-only run all of them are unknown. */
export const creationObservers: Observers = {
  statusWhenOmitted: ({ additions, fetches }) => {
    const without = additions.filter(({ sent }) => sent.status === undefined);
    const ids = new Set(without.map(({ id }) => id));
    const fetched = fetches.filter(({ requestedId, animal }) => ids.has(requestedId) && animal !== undefined);
    return observe([...without, ...fetched], ({ animal }) => String(animal?.status ?? 'absent'));
  },
  unknownMembers: (run) => {
    const longest = longestAccepted(run);
    // A long body may be refused for its size.
    const isUsual = ({ sent, request }: Exchange) =>
      (request.body?.length ?? 0) < LONGEST_USUAL &&
      String(sent.name).length <= longest &&
      run.isAccepted(sent.categoryId);
    const further = run.newPosts.filter((post) => isUsual(post) && ('id' in post.sent || hasFurther(post)));
    return observe(further, (post) => {
      if (!post.isAddition) return isPlainName(post.sent.name) ? toRefusal(post) : undefined;
      if (!hasFurther(post)) return undefined;
      return furtherOf(post.sent).some((name) => Object.hasOwn(post.animal ?? {}, name)) ? 'keep' : 'ignore';
    });
  },
  longestName: (run) => {
    const isLong = ({ sent, status }: Exchange) =>
      (status === 400 || status === 422) && isPlainName(sent.name) && sent.name.length > 30;
    const refused = run.usualPosts.filter((post) => isLong(post) && run.isAccepted(post.sent.categoryId));
    const least = Math.min(...refused.map(({ sent }) => String(sent.name).length));
    const longest = longestAccepted(run);
    const fits = choices.longestName.values.filter((value) =>
      value === 'any' ? refused.length === 0 && longest > 1000 : value >= longest && value < least,
    );
    const [value, ...others] = refused.length === 0 ? fits.filter((one) => one === 'any') : fits;
    if (value === undefined || others.length > 0 || longest === 0) return { unknown: NOT_CREATED };
    const accepted = run.additions.filter(({ sent }) => String(sent.name).length === longest);
    return { value, evidence: [...accepted.slice(0, 1), ...refused.slice(0, 1)] };
  },
  emptyNames: (run) => {
    const empty = run.usualPosts.filter(({ sent }) => sent.name === '' && run.isAccepted(sent.categoryId));
    return observe(empty, (post) => (post.isAddition ? 'accepted' : toRefusal(post) && 'refused'));
  },
  uniqueNames: (run) => {
    const again = run.posts.filter(({ sent, at }) => {
      const isTaken = run.additions.some((one) => one.sent.name === sent.name && one.end < at);
      const isUsual = isValid(sent) && furtherOf(sent).length === 0 && !('id' in sent);
      return isTaken && isUsual && run.isAccepted(sent.categoryId);
    });
    return observe(again, (post) => {
      if (post.isAddition) return 'no';
      return toRefusal(post) === 'refuse' ? 'required' : toRefusal(post);
    });
  },
  categories: observeCategories,
  ids: observeIds,
  integerNotations: (run) => {
    const unusual = run.usualPosts.filter(
      (post) => hasNotation(post) && (post.isAddition || isSimilarAccepted(run, post)),
    );
    return observe(unusual, (post) => {
      if (post.isAddition) return 'accepted';
      return run.isAccepted(post.sent.categoryId) && toRefusal(post) === 'refuse' ? 'refused' : undefined;
    });
  },
  otherMediaTypes: ({ posts }) =>
    observe(posts, ({ request, status }) => {
      const isOther = /^(?:text\/plain|application\/x-www-form-urlencoded)$/.test(
        request.headers['Content-Type'] ?? '',
      );
      if (!isOther || status === 429) return undefined;
      return status === 400 || status === 415 ? status : OTHER;
    }),
  fullStore: ({ posts, additions, target }) => {
    if (posts.some((post) => isValid(post.sent) && isRefusedAsFull(post, target)))
      return { unknown: 'it refused animals as a full store does' };
    const isMany = additions.length > 10;
    return isMany ? { value: 'never', evidence: additions.slice(-1) } : { unknown: NOT_CREATED };
  },
};

const hasFurther = ({ sent }: Exchange) => furtherOf(sent).length > 0;

function longestAccepted({ additions }: FinishedRun): number {
  return Math.max(0, ...additions.map(({ sent }) => String(sent.name).length));
}

/** Returns whether an animal was accepted whose name begins in the same form. */
function isSimilarAccepted({ additions }: FinishedRun, { sent }: Exchange): boolean {
  const formOf = (name: unknown) => toForm(String(name).slice(0, 10));
  return additions.some((one) => formOf(one.sent.name) === formOf(sent.name));
}

/** Replaces letters and digits by one of their kind. */
const toForm = (name: string): string =>
  name.replaceAll(/[a-z]/g, 'a').replaceAll(/[A-Z]/g, 'A').replaceAll(/\d/g, '0');

function observeCategories(run: FinishedRun): Observation {
  const listed = run.lists.flatMap(({ animals }) => animals.map(({ categoryId }) => categoryId));
  const own = new Set(run.additions.map(({ animal }) => animal?.categoryId));
  const known = new Set([...listed.filter((id) => !own.has(id)), run.target.categoryId]);
  const before = run.lists.filter(({ end }) => end <= Math.min(...run.posts.map(({ at }) => at)));
  for (const { animals } of before) for (const { categoryId } of animals) known.add(categoryId);
  const longest = longestAccepted(run);
  const posts = run.usualPosts.filter(
    (post) =>
      !hasNotation(post) &&
      !known.has(post.sent.categoryId) &&
      (post.isAddition ||
        (toRefusal(post) === 'refuse' &&
          String(post.sent.name).length <= longest &&
          isSimilarAccepted(run, post))),
  );
  const find = (isAddition: boolean, isPositive: boolean) =>
    posts.filter((post) => post.isAddition === isAddition && Number(post.sent.categoryId) > 0 === isPositive);
  const [yes, no, yesBelow, noBelow] = [
    find(true, true),
    find(false, true),
    find(true, false),
    find(false, false),
  ];
  const evidence = (...shown: (readonly Exchange[])[]) => shown.flatMap(([first]) => first ?? []);
  // A category that was refused once may have been added by another client since.
  if (no.length > 0 && yes.length + yesBelow.length === 0 && run.additions.length > 0)
    return { value: 'known', evidence: evidence(no) };
  if (no.length > 0 || (yesBelow.length > 0 && noBelow.length > 0)) return { unknown: 'responses differ' };
  if (yes.length === 0) return { unknown: NOT_SHOWN };
  if (yesBelow.length > 0) return { value: 'any', evidence: evidence(yes, yesBelow) };
  return noBelow.length > 0
    ? { value: 'positive', evidence: evidence(yes, noBelow) }
    : { unknown: NOT_CREATED };
}

function observeIds({ additions }: FinishedRun): Observation {
  const ids = additions.map(({ id }) => id ?? 0n);
  if (ids.length < ENOUGH) return { unknown: NOT_CREATED };
  const evidence = additions.slice(0, 2);
  if (ids.every((id) => id < 0n)) return { value: 'negative', evidence };
  if (ids.every((id) => id > 2n ** 53n)) return { value: 'large', evidence };
  if (ids.some((id) => id < 1n || id > 2n ** 53n)) return { unknown: 'no value describes what was observed' };
  const [first, ...others] = additions;
  let [last, falls] = [first, 0];
  for (const one of others) {
    if (last === undefined || one.at < last.end) continue;
    if ((one.id ?? 0n) < (last.id ?? 0n)) falls += 1;
    last = one;
  }
  if (falls === 0) return { value: 'next', evidence };
  return falls > 2 ? { value: 'random', evidence } : { unknown: 'responses differ' };
}
