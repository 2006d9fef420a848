import type { Exchange } from '../client/exchange.ts';
import type { Addition } from '../history/history.ts';
import type { Evidence, Gap, Look } from './rule.ts';
import { isRefusedAsFull } from './sight.ts';

/** The tables that may add animals: what one of them has shown is seen again only if it is sent. */
export const ADDING = ['animals', 'unusual animals', 'other spellings', 'invalid bodies'] as const;

/** Lists the additions that were accepted, in the order of their requests. */
export function listAdded({ history }: Evidence): readonly Addition[] {
  return history.additions
    .filter(({ shown, sent }) => shown !== undefined && sent !== undefined)
    .toSorted((one, other) => one.exchange.number - other.exchange.number);
}

/** Lists the additions with a valid body, in the order of their requests. */
export function listValid({ history }: Evidence): readonly Addition[] {
  return history.additions
    .filter(({ sent, exchange }) => sent !== undefined && exchange.request.form === undefined)
    .toSorted((one, other) => one.exchange.number - other.exchange.number);
}

/** Returns why no animal was added, if none was. */
export function needsAdditions(evidence: Evidence): Gap | undefined {
  if (evidence.once(listAdded).length > 0) return undefined;
  const valid = evidence.once(listValid).map(({ exchange }) => exchange);
  const full = findFullStore(evidence);
  if (full !== undefined) return full;
  const unusable = valid.find(({ isSuccess }) => isSuccess);
  if (unusable !== undefined) {
    const { isAddition, outcome } = unusable;
    return {
      reason: isAddition
        ? 'POST /pets returns no animal with an integer as its id: see create-pet/pet'
        : `POST /pets returns ${outcome} instead of 201: see create-pet/success`,
    };
  }
  const isCategoryKnown =
    evidence.target.categoryId !== undefined || evidence.history.lists.some(({ ids }) => ids.size > 0);
  if (!isCategoryKnown)
    return { reason: 'the category may be unknown. Give an existing one with --category-id.' };
  const reason = 'POST /pets refused every animal, also with the name and the category of a listed one';
  return { reason, cause: 'no animal could be added' };
}

export function needsAccepted(looks: readonly Look[], member: string): Gap | undefined {
  return looks.length > 0
    ? undefined
    : { reason: `the deployment accepted no such ${member}, which may conform` };
}

const FORBIDDEN = 403;

function createFullStore({ status, outcome }: Exchange): Gap {
  const reason =
    status === FORBIDDEN
      ? 'the key may not add animals, or the store is full'
      : 'the store is full, or the key may not add animals';
  const cause = status === FORBIDDEN ? 'no right to add animals' : 'full store';
  return { reason: `POST /pets returned ${outcome}: ${reason}`, cause };
}

/** Returns why a clause that adds animals has too little to compare, if the store was full or the key may not add animals. */
export function findFullStore(evidence: Evidence): Gap | undefined {
  const { history } = evidence;
  const valid = [...evidence.once(listValid).map(({ exchange }) => exchange), ...history.unanswered];
  const full = valid.findLast(isRefusedAsFull);
  return full && createFullStore(full);
}

/** A name of letters, digits and single marks, with no space at an end. */
export const ORDINARY_NAME = /^[\w.-][\w .-]{0,98}[\w.-]$/;

/** Returns whether an animal has a name of the usual form, and a small category in plain digits. */
export function isPlain(exchange: Exchange, evidence: Evidence): boolean {
  const { categoryId } = exchange.sent;
  const isSmall = typeof categoryId === 'bigint' && categoryId > 0n && categoryId < 2n ** 24n;
  return isPlainName(exchange, evidence) && isSmall && !hasNotation(exchange);
}

/** Returns whether a category is written as in 1.0 or 1e2. */
export function hasNotation({ request }: Exchange): boolean {
  return /"categoryId"\s*:\s*-?\d+[.eE]/.test(request.body ?? '');
}

export function isPlainName({ sent: { name } }: Exchange, { history }: Evidence): boolean {
  return typeof name === 'string' && ORDINARY_NAME.test(name) && history.isMarked({ name });
}
