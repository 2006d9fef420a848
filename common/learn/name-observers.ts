import { isPlainText } from '../behaviour/is-plain-text.ts';
import { mayBeTaken } from './creation-observers.ts';
import type { Exchange } from './exchange.ts';
import { type FinishedRun, NOT_SHOWN, type Observation, type Observers } from './finished-run.ts';
import { lengthOf, observeNameBounds } from './name-bounds.ts';

/** Observers of what names have to be like, but for their maximum length. */
export const nameObservers: Observers = {
  shortestName: observeShortestName,
  nameCharacters: observeNameCharacters,
};

/** Names of these forms show whether all characters are accepted: those of an emoji, and of a sign that many names have. */
const EMOJI = /^(?:[\p{L}\p{N} .'\p{Extended_Pictographic}\p{Emoji_Modifier}-]|\u200d|\ufe0f)+$/u;
const AMPERSAND = /^[\p{L}\p{N} .'&-]+$/u;

/** Number of different names that have to be refused: each may have a character that even services without a rule refuse. */
const ENOUGH_REFUSED = 3;

/** Observes names without anything else that a service may refuse. */
function observeShortestName(run: FinishedRun): Observation {
  const isMeant = (post: Exchange) =>
    nameOf(post) !== '' && isPlainText(nameOf(post)) && isComparable(post, run);
  const accepted = run.namedAdditions.filter(isMeant);
  const shortest = Math.min(...accepted.map(lengthOf));
  const proof = accepted.filter((one) => lengthOf(one) === shortest).slice(0, 1);
  if (shortest === 1) return { value: 1, evidence: proof };
  const refused = run.usualPosts.filter((post) => post.status === 400 && isMeant(post));
  const refusal = refused.find((post) => lengthOf(post) === shortest - 1);
  return refusal === undefined ? { unknown: NOT_SHOWN } : { value: shortest, evidence: [...proof, refusal] };
}

/** Observes names with other characters than plain ones. */
function observeNameCharacters(run: FinishedRun): Observation {
  const { longest } = observeNameBounds(run);
  const isMeant = (post: Exchange) =>
    !isPlainText(nameOf(post)) && lengthOf(post) <= longest && isComparable(post, run);
  const accepted = run.namedAdditions.filter(isMeant);
  const refused = run.usualPosts.filter((post) => post.status === 400 && isMeant(post));
  const findBoth = (posts: readonly Exchange[]) => {
    const found = [EMOJI, AMPERSAND].map((form) => posts.find((post) => form.test(nameOf(post))));
    return found.filter((post) => post !== undefined);
  };
  const [both, neither] = [findBoth(accepted), findBoth(refused)];
  // A service may refuse some characters, such as NUL, though it has no rule for names.
  if (both.length === 2) return { value: 'any', evidence: both };
  if (accepted.length > 0) return { unknown: 'it accepts some other characters, but not all' };
  const isEnough = new Set(refused.map(nameOf)).size >= ENOUGH_REFUSED;
  return neither.length === 2 && isEnough ? { value: 'plain', evidence: neither } : { unknown: NOT_SHOWN };
}

const nameOf = ({ sent }: Exchange) => String(sent.name);

/** Returns whether nothing but the length and the characters of a name may be refused. */
function isComparable(post: Exchange, run: FinishedRun): boolean {
  const name = nameOf(post);
  const isUsual = typeof post.sent.name === 'string' && name === name.trim();
  return isUsual && run.isAccepted(post.sent.categoryId) && (post.isAddition || !mayBeTaken(run, name));
}
