import { isUtf8 } from 'node:buffer';
import { basename, dirname, join } from 'node:path';
import { readRegularFile } from '../cli/regular-file.ts';
import { type BodyToCheck, decodeCheckedBody } from '../http/decode-checked-body.ts';
import type { Headers } from '../http/headers.ts';

/** The `content` of a recorded response, or the `postData` of a request. */
export type RecordedPart = Readonly<Record<string, unknown>>;

export function toPart(value: unknown): RecordedPart {
  return typeof value === 'object' && value !== null ? (value as RecordedPart) : {};
}

export interface BodyRecord {
  readonly part: RecordedPart;
  /** Bytes; less than 0 if unknown. */
  readonly size: unknown;
  readonly headers: Headers;
  /** Used if neither the size nor the headers say so. */
  readonly isEmpty: boolean;
}

/** Maximum number of bytes that a size may exceed its body: some recorders count the coded body or a byte order mark. */
const SLACK = 64;

export const emptyBody: BodyToCheck = { body: new Uint8Array() };

const notRecorded: BodyToCheck = { body: undefined, unchecked: { reason: 'not recorded' } };

/**
 * Reads a recorded body. Browsers record it decoded whatever Content-Encoding says, proxies also as it was on the wire.
 *
 * @param har path of the HAR file; Playwright puts bodies into its folder.
 */
export function readRecordedBody(record: BodyRecord, har: string): BodyToCheck {
  const { part, size, headers } = record;
  const isCoded = part.encoding === 'base64' || part._encoding === 'base64';
  const text = typeof part.text === 'string' ? part.text : '';
  if (part._isDecoded === true && text === '') return emptyBody;
  const bytes = text ? Buffer.from(text, isCoded ? 'base64' : 'utf8') : readFromFile(part._file, har);
  if (bytes === undefined) return isEmpty(record) ? emptyBody : notRecorded;
  if (bytes.length + SLACK < Number(size)) return notRecorded;
  // A compressed body that was recorded as text has lost bytes.
  const isBroken = !isCoded && /[^\P{Cc}\t\n\r]|\ufffd/u.test(text);
  if (isBroken) return { body: undefined, unchecked: { reason: 'lost bytes', size: bytes.length } };
  const { 'content-encoding': _, ...decoded } = headers;
  return decodeCheckedBody(bytes, isUtf8(bytes) || part._isDecoded === true ? decoded : headers);
}

function isEmpty({ size, headers, isEmpty }: BodyRecord): boolean {
  const { 'content-length': length, 'transfer-encoding': coding } = headers;
  if (length !== undefined) return Number(length) === 0;
  if (typeof size === 'number' && size >= 0) return size === 0;
  return isEmpty && coding === undefined;
}

/** Reads a file in the folder of the HAR file; other paths are not followed. */
function readFromFile(name: unknown, har: string): Buffer | undefined {
  if (typeof name !== 'string' || har === '-' || name !== basename(name)) return undefined;
  try {
    return readRegularFile(join(dirname(har), name));
  } catch {
    return undefined;
  }
}
