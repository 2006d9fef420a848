import type { Exchange } from './exchange.ts';
import { type FinishedRun, isPlainName } from './finished-run.ts';

/** A longer name may be refused for its length, in characters. */
const LONGEST_USUAL_NAME = 30;

/** The longest name that a deployment accepted, in characters, and the shortest one that it refused for its length. */
export interface NameBounds {
  readonly longest: number;
  readonly refusal?: Exchange;
}

/** Observes how long names may be. */
export function observeNameBounds(run: FinishedRun): NameBounds {
  const isLong = ({ sent, status }: Exchange) =>
    (status === 400 || status === 422) && isPlainName(sent.name) && sent.name.length > LONGEST_USUAL_NAME;
  const refused = run.usualPosts.filter((post) => isLong(post) && run.isAccepted(post.sent.categoryId));
  const [refusal] = refused.toSorted((one, other) => lengthOf(one) - lengthOf(other));
  const longest = Math.max(0, ...run.namedAdditions.map(lengthOf));
  return refusal === undefined ? { longest } : { longest, refusal };
}

/** Returns the length of the name that a request sends, in characters. */
export function lengthOf({ sent }: Exchange): number {
  return String(sent.name).length;
}

/** Limits that services have for names, the most usual first, in characters. */
const usualLimits = [255, 100, 50, 256, 128, 64, 200, 120, 80, 500, 1_000, 512, 1_024, 60, 40];

/**
 * Returns the limit to try: a number that the refusal names, or else the most usual limit. Undefined if the bounds leave
 * nothing to try.
 */
export function chooseLimit({ longest, refusal }: NameBounds): number | undefined {
  if (refusal === undefined) return undefined;
  const least = lengthOf(refusal);
  // A name of the limit and one more letter is neither the accepted one nor the refused one.
  const isBetween = (limit: number) => limit >= longest && limit < least - 1;
  const named = listNumbers(refusal).filter(isBetween);
  const isUsual = (limit: number) => named.includes(limit);
  return usualLimits.find(isUsual) ?? named[0] ?? usualLimits.find(isBetween);
}

/** Returns whether services have a limit, or the refusal names it. */
export function isLikelyLimit(limit: number, refusal: Exchange): boolean {
  return usualLimits.includes(limit) || listNumbers(refusal).includes(limit);
}

/** Lists the numbers in the body of a refusal that neither the request nor the status has given it. */
function listNumbers({ response, request, status }: Exchange): number[] {
  const numbersIn = (text: string) => (text.match(/\d+/g) ?? []).map(Number);
  const own = new Set([...numbersIn(request.body ?? ''), status]);
  return numbersIn(response?.body.toString() ?? '').filter((number) => !own.has(number));
}
