import { isInt64, parseInt64 } from '../json/int64.ts';
import type { Exchange } from './exchange.ts';
import type { FinishedRun, Observation, Observers } from './finished-run.ts';
import { furtherOf, isPlainName, observe } from './finished-run.ts';
import { isStatus } from './lists.ts';

/** The name of the invalid animals that the suite sends. */
const SHORT_NAME = 'Rex';

/** Observers of what breaks the contract. A refusal counts only if nothing else can have been refused. */
export const habitObservers: Observers = {
  spacesAroundNames: observeSpaces,
  categoryIdAsText: (run) => {
    const asText = run.posts.filter(({ sent }) => {
      const { name, categoryId, status } = sent;
      const isText = typeof categoryId === 'string' && parseInt64(categoryId) !== undefined;
      return isText && typeof name === 'string' && (status === undefined || isStatus(status));
    });
    return observe(asText, (post) => {
      const { name, categoryId } = post.sent;
      if (post.isAddition) return 'accepted';
      const isUsual = run.isAccepted(parseInt64(`${categoryId}`)) && mayHaveName(run, name);
      return isUsual ? toRefused(post) : undefined;
    });
  },
  nullStatus: (run) => {
    const withNull = run.posts.filter(({ sent }) => {
      const { name, categoryId, status } = sent;
      return status === null && typeof name === 'string' && isInt64(categoryId);
    });
    return observe(withNull, (post) => {
      const { name, categoryId } = post.sent;
      if (post.isAddition) return 'accepted';
      return run.isAccepted(categoryId) && mayHaveName(run, name) ? toRefused(post) : undefined;
    });
  },
  memberCase: (run) => {
    const inOtherCase = run.posts.filter(({ sent }) => {
      const { name, Name, categoryId } = sent;
      return name === undefined && typeof Name === 'string' && isInt64(categoryId);
    });
    return observe(inOtherCase, (post) => {
      const { Name, categoryId } = post.sent;
      if (post.isAddition) return post.animal?.name === Name ? 'any' : 'another name';
      const isUsual = run.isAccepted(categoryId) && mayHaveName(run, Name);
      return isUsual ? toRefused(post, 'exact') : undefined;
    });
  },
};

/** Observes whether a name that begins or ends with a space is returned with it, by POST or by its id. */
function observeSpaces({ additions, fetches }: FinishedRun): Observation {
  const spaced = additions.filter(({ sent }) => {
    const name = String(sent.name);
    return furtherOf(sent).length === 0 && name !== name.trim() && isPlainName(name.trim());
  });
  const sentById = new Map(spaced.map(({ id, sent }) => [id, String(sent.name)]));
  const shown = [...spaced, ...fetches].filter(({ animal }) => sentById.has(animal?.id as bigint));
  return observe(shown, ({ animal }) => {
    const sent = sentById.get(animal?.id as bigint);
    if (animal?.name === sent) return 'kept';
    return animal?.name === sent?.trim() ? 'trimmed' : 'another name';
  });
}

/** Returns whether the deployment accepts a name for certain: one like those of the run, or a short one where names may repeat. */
function mayHaveName(run: FinishedRun, name: unknown): boolean {
  const isNew =
    isPlainName(name) && run.additions.length > 0 && !run.additions.some((one) => one.sent.name === name);
  if (isNew) return true;
  const isAcceptedAgain = run.posts.some((post) => post.isAddition && run.isTaken(post));
  const hasShort = run.additions.some(({ sent }) => String(sent.name).length <= SHORT_NAME.length);
  return name === SHORT_NAME && isAcceptedAgain && hasShort;
}

/** Returns the value of any refusal of the body. */
function toRefused({ status }: Exchange, value = 'refused'): string | undefined {
  return [400, 422].includes(status) ? value : undefined;
}
