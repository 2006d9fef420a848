import { isDeepStrictEqual } from 'node:util';
import { parseExactJson } from '../../common/json/exact-json.ts';
import type { Failed } from '../client/clause-errors.ts';
import { type Exchange, hasValidKey } from '../client/exchange.ts';
import type { Cause, MemberFault } from '../failures/failure.ts';
import type { Context } from '../vocabulary/context.ts';
import { findStaleness, mayLag } from '../vocabulary/lists.ts';

/** Finds the probable cause of a failure. */
export function findCause({ fault, exchange, details }: Failed, context: Context): Cause | undefined {
  if (details.suspected !== undefined) return details.suspected;
  const ofChange = fault.kind === 'member' ? suspectChange(fault) : undefined;
  if (ofChange !== undefined) return ofChange;
  if (findCachedRefusal(exchange, context) !== undefined) return { cause: 'cached without the key' };
  const staleness = mayLag(fault) ? findStaleness(context, exchange, details.about) : undefined;
  return staleness ?? findTurns(exchange, context);
}

/** Returns the request without the valid key whose 401 was returned for the valid key. */
export function findCachedRefusal(exchange: Exchange, { journal, target }: Context): Exchange | undefined {
  const { method, base, path } = exchange.request;
  const isRefused = exchange.status === 401 && hasValidKey(exchange, target);
  if (!isRefused || method !== 'GET') return undefined;
  return journal.findLast((one) => {
    const isSame = one.request.method === 'GET' && one.request.base === base && one.request.path === path;
    return isSame && one.at < exchange.at && one.status === 401 && !hasValidKey(one, target);
  });
}

/** Finds whether the same request got another response before and after. What changed once may have had a reason. */
function findTurns(exchange: Exchange, { journal }: Context): Cause | undefined {
  const isOwnPage = exchange.isPage && !exchange.isGatewayPage;
  const describe = (one: Exchange) => (isOwnPage && one.isPage ? 'page' : one.outcome);
  const outcomes = journal
    .filter(({ request }) => isDeepStrictEqual(request, exchange.request))
    .toSorted((one, other) => one.at - other.at)
    .map(describe);
  const turns = outcomes.filter((outcome, index) => index > 0 && outcome !== outcomes[index - 1]);
  const leastTurns = isOwnPage ? 1 : 2;
  if (turns.length < leastTurns) return undefined;
  const others = outcomes.filter((outcome) => outcome !== describe(exchange));
  const [otherwise = ''] = others;
  const cause = isOwnPage ? 'page' : 'intermittent';
  return { cause, others: others.length, of: outcomes.length, otherwise };
}

/** Returns the probable reason why a value of a member was returned as another one. */
export function suspectChange({
  expected,
  received,
}: Pick<MemberFault, 'expected' | 'received'>): Cause | undefined {
  if (expected === undefined || received === undefined) return undefined;
  const [sent, got] = [parseExactJson(expected), parseExactJson(received)] as const;
  if (typeof sent === 'bigint' && typeof got === 'bigint') return suspectInteger(sent, got);
  if (typeof sent === 'string' && typeof got === 'string') return suspectText(sent, got);
  if (typeof sent !== 'bigint' && typeof sent !== 'string') return undefined;
  if (got === null) return { cause: 'turned into null' };
  const isSame = typeof got !== 'object' && (String(got) === String(sent) || Number(got) === Number(sent));
  if (!isSame) return undefined;
  return { cause: 'turned into another type', type: typeof got === 'bigint' ? 'number' : typeof got };
}

/** How many bits of an integer a double can hold. */
const BITS_OF_DOUBLE = 52n;

function suspectInteger(sent: bigint, got: bigint): Cause | undefined {
  const distance = sent > got ? sent - got : got - sent;
  const size = sent < 0n ? -sent : sent;
  const isDouble = BigInt(Number(got)) === got;
  if (isDouble && distance > 0n && distance <= size >> BITS_OF_DOUBLE)
    return { cause: 'rounded to a double' };
  const isCut = BigInt.asIntN(32, sent) === got || BigInt.asUintN(32, sent) === got;
  return isCut ? { cause: 'cut to 32 bits' } : undefined;
}

function suspectText(sent: string, got: string): Cause | undefined {
  if (sent.trim() === got) return { cause: 'trimmed' };
  if (got === '') return undefined;
  if (sent.toLowerCase() === got.toLowerCase()) return { cause: 'case changed' };
  if (Buffer.from(sent).toString('latin1') === got) return { cause: 'read as Latin-1' };
  const toAscii = (text: string) => text.replaceAll(/[^\0-\x7f]/gu, '?');
  if (got.includes('?') && toAscii(sent) === toAscii(got)) return { cause: 'stored as ASCII' };
  return sent.startsWith(got) ? { cause: 'cut', characters: got.length } : undefined;
}
