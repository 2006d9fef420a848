import type { ChoiceName } from '../../common/behaviour/choices.ts';
import {
  BLANK,
  EMPTY,
  mayBeTooShort,
  mergeEmptyNames,
  observeNameLike,
  toAnyCase,
  toTakenRefusal,
  UNSUPPORTED_MEDIA_TYPE,
} from '../../common/learn/creation-observers.ts';
import type { Exchange } from '../../common/learn/exchange.ts';
import {
  furtherOf,
  hasMemberTwice,
  isPlainName,
  isValid,
  type Observation,
  observe,
  toRefusal,
} from '../../common/learn/finished-run.ts';
import { hasNotation } from '../../common/learn/new-pet.ts';
import { NOT_SENT, observeRun, only } from './in-eras.ts';
import { type Era, merge, type Traffic } from './traffic.ts';

/** Returns whether a body has members that a service may refuse, such as an id. */
export const isWithFurther = ({ sent }: Exchange) => furtherOf(sent).length > 0 || 'id' in sent;

/**
 * Observes animals with something that a service may refuse. A refusal counts if the same animal is accepted later without it, as
 * when a developer mends a request.
 */
export function observeRefusable(
  name: ChoiceName,
  { run, accepted }: Era,
  isMeant: (exchange: Exchange) => boolean,
  refusal: string,
): Observation {
  const refused = run.posts.filter((post) => {
    const isRefused = post.status === 400 && isValid(post.sent) && isMeant(post) && countUnusual(post) === 1;
    return isRefused && run.additions.some((one) => one.at >= post.end && isPlainTwin(one, post));
  });
  const refusals = observe(refused, (post) => toRefusal(post, refusal));
  return merge([observeRun(name, accepted), refusals], NOT_SENT);
}

/** Counts what a body has that a service may refuse. */
function countUnusual(post: Exchange): number {
  return [isWithFurther(post), hasNotation(post), hasMemberTwice(post)].filter(Boolean).length;
}

/** Returns whether a request is for the same animal, without anything unusual. */
function isPlainTwin(one: Exchange, { sent }: Pick<Exchange, 'sent'>): boolean {
  const isSame = (['name', 'categoryId', 'status'] as const).every(
    (member) => one.sent[member] === sent[member],
  );
  return isSame && countUnusual(one) === 0 && one.request.headers['Content-Type'] === 'application/json';
}

/** Observes animals with the name of one that was added before, and that was still there afterwards. */
export function observeUniqueNames({ run }: Era, { keyOf }: Traffic): Observation {
  const { additions, lists, fetches, posts } = run;
  const isThere = (id: bigint | undefined, at: number) =>
    [...lists, ...fetches].some(
      (one) => one.at >= at && (one.animal?.id === id || one.animals.some((animal) => animal.id === id)),
    );
  const findAgain = (isAlike: (name: string, other: string) => boolean) =>
    posts.filter((post) => {
      const { name } = post.sent;
      if (!isValid(post.sent) || !isPlainName(name) || countUnusual(post) > 0) return false;
      return additions.some((one) => {
        const other = `${one.sent.name}`;
        const isTwin = isPlainTwin(one, { sent: { ...post.sent, name: other } });
        const isSameKey = keyOf(one) === keyOf(post);
        return isSameKey && one.end <= post.at && isTwin && isAlike(name, other) && isThere(one.id, post.end);
      });
    });
  const inOtherCase = findAgain(
    (name, other) => name !== other && name.toLowerCase() === other.toLowerCase(),
  );
  const acceptsOtherCase = inOtherCase.some(({ isAddition }) => isAddition);
  const isInCapitals = (post: Exchange) => /[A-Z]{2}/.test(`${post.sent.name}`);
  const toValue = (post: Exchange) =>
    post.status === 400 || post.status === 409 ? toTakenRefusal(post, run) : undefined;
  const observation = observe(
    findAgain((name, other) => name === other),
    (post) => (post.isAddition ? 'no' : toValue(post)),
  );
  const refused = inOtherCase.filter(
    (post) =>
      'value' in observation &&
      toValue(post) === observation.value &&
      (!isInCapitals(post) || additions.some(isInCapitals)),
  );
  if ('unknown' in observation || observation.value === 'no') return observation;
  if (acceptsOtherCase) return refused.length > 0 ? { unknown: 'responses differ' } : observation;
  return refused.length > 0
    ? { value: toAnyCase(observation.value), evidence: refused.slice(0, 2) }
    : { unknown: 'taken names are refused, perhaps also in another case' };
}

/** Observes messages of 400s. One that names another member shows that the body was refused for another reason, too. */
export function observeRefusedMember({ run }: Era): Observation {
  const isPlain = ({ request }: Exchange) => {
    const { 'Content-Type': type = '', 'Content-Encoding': coding } = request.headers;
    return /^application\/json/i.test(type) && coding === undefined;
  };
  const observation = observeRun('refusedMember', only(run.posts.filter(isPlain)));
  if ('unknown' in observation || observation.value !== 'absent') return observation;
  const isGeneral = observation.evidence.every(
    ({ object }) => !/name|category|status/i.test(`${object?.message}`),
  );
  return isGeneral ? observation : { unknown: NOT_SENT };
}

/** Observes empty names, and those of spaces only. A refusal counts if names need not be unique, and the same animal with another name is accepted. */
export function observeEmptyNames(era: Era, traffic: Traffic): Observation {
  const unique = observeUniqueNames(era, traffic);
  const isFree = 'value' in unique && unique.value === 'no';
  const { posts, additions } = era.run;
  const isConclusive = (post: Exchange) =>
    !mayBeTooShort(post, era.run) &&
    additions.some(
      (one) =>
        isPlainName(one.sent.name) &&
        isPlainTwin(one, { sent: { ...post.sent, name: `${one.sent.name}` } }) &&
        countUnusual(post) === 0,
    );
  const observeForm = (form: RegExp, accepted: string, refused: string) => {
    const all = posts.filter(
      ({ sent, isAddition }) => form.test(String(sent.name)) && !isAddition && isValid(sent),
    );
    const refusals = observe(isFree ? all.filter(isConclusive) : [], (post) => toRefusal(post, refused));
    return merge([observeNameLike(era.accepted, form, accepted, refused), refusals], NOT_SENT);
  };
  const empty = observeForm(EMPTY, 'accepted', 'refused');
  return mergeEmptyNames(empty, observeForm(BLANK, 'refused', 'blank'));
}

/** Observes additions one after another: those at the same time have no order. */
export function observeIds({ accepted }: Era): Observation {
  const sequence: Exchange[] = [];
  for (const one of accepted.additions)
    if (one.at >= (sequence.at(-1)?.end ?? Number.NEGATIVE_INFINITY)) sequence.push(one);
  return observeRun('ids', only(sequence));
}

/** Observes bodies that are valid but for their media type. Another refusal than a 415 counts if the same animal is accepted later in JSON. */
export function observeMediaTypes({ run }: Era): Observation {
  const { additions, postsOfOtherTypes } = run;
  const isConclusive = (post: Exchange) =>
    post.status === UNSUPPORTED_MEDIA_TYPE ||
    additions.some((one) => one.at >= post.end && isPlainTwin(one, post));
  const refused = postsOfOtherTypes.filter(
    (post) => !post.isAddition && isValid(post.sent) && isConclusive(post),
  );
  return observeRun('otherMediaTypes', only([...additions, ...refused]));
}
