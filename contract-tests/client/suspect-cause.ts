import type { ExactJson } from '../../common/json/exact-json.ts';

/** Returns the probable reason why a value was returned as another one. */
export function suspectCause(sent: ExactJson | undefined, got: ExactJson | undefined): string | undefined {
  if (got === undefined || (typeof sent !== 'bigint' && typeof sent !== 'string')) return undefined;
  if (typeof sent === 'bigint' && typeof got === 'bigint') return suspectInteger(sent, got);
  if (typeof sent === 'string' && typeof got === 'string') return suspectText(sent, got);
  if (got === null) return 'turned into null';
  const isSame = typeof got !== 'object' && (String(got) === String(sent) || Number(got) === Number(sent));
  return isSame ? `turned into a ${typeof got === 'bigint' ? 'number' : typeof got}` : undefined;
}

function suspectInteger(sent: bigint, got: bigint): string | undefined {
  const distance = sent > got ? sent - got : got - sent;
  const size = sent < 0n ? -sent : sent;
  if (BigInt(Number(got)) === got && distance > 0n && distance <= size >> 52n)
    return 'rounded to what a double can hold';
  return BigInt.asIntN(32, sent) === got || BigInt.asUintN(32, sent) === got ? 'cut to 32 bits' : undefined;
}

function suspectText(sent: string, got: string): string | undefined {
  if (sent.trim() === got) return 'trimmed';
  if (got === '') return undefined;
  if (sent.toLowerCase() === got.toLowerCase()) return 'its case was changed';
  if (Number(sent) === Number(got)) return 'parsed as a number';
  if (Buffer.from(sent).toString('latin1') === got) return 'UTF-8 was read as Latin-1';
  const toAscii = (text: string) => text.replaceAll(/[^\0-\x7f]/gu, '?');
  if (got.includes('?') && toAscii(sent) === toAscii(got))
    return 'stored as Latin-1 or ASCII, with ? for other characters';
  return sent.startsWith(got) ? `cut after ${got.length} characters` : undefined;
}
