import type { ExactJson } from '../../common/exact-json.ts';

/** What has probably become of a value that came back as another; undefined where it may be anything. */
export function suspectCause(sent: ExactJson | undefined, got: ExactJson | undefined): string | undefined {
  if (got === undefined) return undefined;
  if (typeof sent === 'bigint')
    return typeof got === 'bigint' ? suspectInteger(sent, got) : suspectType(sent, got);
  if (typeof sent !== 'string') return undefined;
  return typeof got === 'string' ? suspectText(sent, got) : suspectType(sent, got);
}

function suspectInteger(sent: bigint, got: bigint): string | undefined {
  if (isNearDouble(sent, got)) {
    return 'rounded to what a double can hold';
  }
  if (BigInt.asIntN(32, sent) === got || BigInt.asUintN(32, sent) === got) return 'cut to 32 bits';
  if (got === 2n ** 31n - 1n || got === -(2n ** 31n)) return 'held to the range of 32 bits';
  if (-sent === got) return 'its sign was lost';
  return got === 0n ? 'not kept, or taken for a missing one' : undefined;
}

/** Whether an integer is one that a double holds, and as near to another as doubles are there. */
function isNearDouble(sent: bigint, got: bigint): boolean {
  const distance = sent > got ? sent - got : got - sent;
  const size = sent < 0n ? -sent : sent;
  return BigInt(Number(got)) === got && distance > 0n && distance <= size >> 52n;
}

function suspectType(sent: bigint | string, got: ExactJson): string | undefined {
  if (got === null) return 'turned into null';
  const isSame =
    typeof got === 'object' ? false : String(got) === String(sent) || Number(got) === Number(sent);
  if (isSame)
    return `turned into a ${typeof got === 'string' ? 'string' : typeof got === 'boolean' ? 'boolean' : 'number'}`;
  return undefined;
}

const causes: readonly (readonly [cause: string, isCause: (sent: string, got: string) => boolean])[] = [
  ['trimmed', (sent, got) => sent.trim() === got],
  ['its case was changed', (sent, got) => sent.toLowerCase() === got.toLowerCase()],
  [
    'normalised to another Unicode form',
    (sent, got) => ['NFC', 'NFD', 'NFKC', 'NFKD'].some((form) => sent.normalize(form) === got),
  ],
  [
    'UTF-8 was read as Latin-1',
    (sent, got) => Buffer.from(sent, 'utf8').toString('latin1') === got || decode1252(sent) === got,
  ],
  [
    'kept as Latin-1 or ASCII, with ? for the rest',
    (sent, got) => got.includes('?') && replaceUnknown(sent) === replaceUnknown(got),
  ],
  ['spaces were joined', (sent, got) => sent.replaceAll(/\s+/g, ' ').trim() === got.trim()],
  ['control characters were left out', (sent, got) => sent.replaceAll(/\p{Cc}/gu, '') === got],
  ['escaped for HTML', (sent, got) => unescapeHtml(got) === sent],
  ['markup was left out', (sent, got) => sent.replaceAll(/<[^>]*>/g, '') === got],
  [
    'emoji were left out or replaced',
    (sent, got) => sent.replaceAll(/[^\0-\uffff]/gu, '') === got.replaceAll(/[?\ufffd]/g, ''),
  ],
];

function suspectText(sent: string, got: string): string | undefined {
  const isOtherCase = sent.toLowerCase() === got.toLowerCase();
  if (got !== '' && Number(sent) === Number(got) && !isOtherCase) return 'taken for a number';
  const found = causes.find(([, isCause]) => isCause(sent, got));
  if (found !== undefined || got === '') return found?.[0];
  // Long texts are kept as digests, with their lengths.
  const [length, kept = 0] = [sent, got].map((text) =>
    Number(/\((\d+) characters, SHA-256/.exec(text)?.[1] ?? text.length),
  );
  const isDigest = length !== sent.length;
  const isBeginning = isDigest
    ? sent.startsWith(got.slice(0, 100)) && kept < Number(length)
    : sent.startsWith(got);
  if (!isBeginning) return undefined;
  const next = isDigest ? 'x' : String.fromCodePoint(sent.codePointAt(kept) ?? 0);
  if (/[\p{L}\p{N}]/u.test(next)) return `cut after ${kept} characters`;
  return `cut before U+${next.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
}

function decode1252(text: string): string {
  return new TextDecoder('windows-1252').decode(Buffer.from(text, 'utf8'));
}

function replaceUnknown(text: string): string {
  return text.replaceAll(/[^\0-\x7f]/gu, '?');
}

function unescapeHtml(text: string): string {
  const names: Readonly<Record<string, string>> = {
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    '#39': "'",
    '#x27': "'",
  };
  return text.replaceAll(/&(amp|lt|gt|quot|#39|#x27);/g, (_, name: string) => names[name] ?? '');
}
