import { parseExactJson } from '../../common/json/exact-json.ts';
import type { Cause, MemberFault } from './failure.ts';

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
  if (isDouble && distance <= size >> BITS_OF_DOUBLE) return { cause: 'rounded to a double' };
  const isCut = BigInt.asIntN(32, sent) === got || BigInt.asUintN(32, sent) === got;
  return isCut ? { cause: 'cut to 32 bits' } : undefined;
}

function suspectText(sent: string, got: string): Cause | undefined {
  if (sent.trim() === got) return { cause: 'trimmed' };
  if (got === '') return undefined;
  if (sent.toLowerCase() === got.toLowerCase()) return { cause: 'case changed' };
  if (Buffer.from(sent).toString('latin1') === got) return { cause: 'read as Latin-1' };
  const toAscii = (text: string) => text.replaceAll(/[^\0-\x7f]/gu, '?');
  // Where a character beyond Latin-1 was kept, others were lost for another reason, such as UTF-8 of three bytes at most.
  const isOfLatin1 = got.includes('?') && !/[^\0-\xff]/u.test(got);
  if (isOfLatin1 && toAscii(sent) === toAscii(got)) return { cause: 'stored as ASCII' };
  // What ends at a NUL has no longest length.
  const isCut = sent.startsWith(got) && sent[got.length] !== '\0';
  return isCut ? { cause: 'cut', characters: got.length } : undefined;
}
