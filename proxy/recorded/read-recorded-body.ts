import { isUtf8 } from 'node:buffer';
import { lstat, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Headers } from '../exchange.ts';
import { JUDGED_LIMIT } from '../relay/carried-body.ts';
import { decodeBody } from '../relay/decode-body.ts';

/** The `content` of a recorded response or the `postData` of a request, as it stands in the file. */
export type RecordedPart = Readonly<Record<string, unknown>>;

/** What a HAR file has of a body. */
export interface BodyRecord {
  readonly part: RecordedPart;
  /** Its length in bytes, as the file has it; less than 0 when that is not known. */
  readonly size: unknown;
  readonly headers: Headers;
  /** Whether it is empty, if neither its size nor its headers say so. */
  readonly isEmpty: boolean;
}

/** A body as it was recorded. */
export interface RecordedBody {
  /** Decoded; undefined when it cannot be judged. */
  readonly body: Uint8Array | undefined;
  /** Whether the recorder left it out, or cut it. */
  readonly isLeftOut: boolean;
}

/** By how much a size may be larger than its body, in bytes: some count the body as it was coded, or a byte order mark. */
const SLACK = 64;

/**
 * Reads a recorded body. Browsers record it decoded whatever Content-Encoding says, proxies also as it was on the wire.
 *
 * @param har the path of the HAR file, beside which Playwright puts bodies.
 */
export async function readRecordedBody(record: BodyRecord, har: string): Promise<RecordedBody> {
  const { part, size, headers } = record;
  const isCoded = part.encoding === 'base64';
  const text = typeof part.text === 'string' ? part.text : undefined;
  const bytes = text ? Buffer.from(text, isCoded ? 'base64' : 'utf8') : await readBeside(part._file, har);
  const given = bytes ?? readForm(part);
  if (given === undefined) {
    const isLeftOut = !isEmpty(record);
    return { body: isLeftOut ? undefined : new Uint8Array(), isLeftOut };
  }
  if (given.length + SLACK < Number(size)) return { body: undefined, isLeftOut: true };
  return { body: decode(given, isCoded ? undefined : text, headers), isLeftOut: false };
}

/** Whether a body that is not in the file was empty. */
function isEmpty({ size, headers, isEmpty }: BodyRecord): boolean {
  const { 'content-length': length, 'transfer-encoding': coding } = headers;
  if (length !== undefined) return Number(length) === 0;
  if (typeof size === 'number' && size >= 0) return size === 0;
  return isEmpty && coding === undefined;
}

/** @param text what a recorder that took the bytes for a text made of them; undefined when it kept them. */
function decode(bytes: Buffer, text: string | undefined, headers: Headers): Uint8Array | undefined {
  const isPlain = text === undefined ? isUtf8(bytes) : !/[^\P{Cc}\t\n\r]|\ufffd/u.test(text);
  const { 'content-encoding': coding = 'identity', ...others } = headers;
  if (bytes.length > JUDGED_LIMIT) return undefined;
  if (isPlain || coding === 'identity') return decodeBody(bytes, others);
  if (text === undefined) return decodeBody(bytes, headers);
  return /[\u0100-\uffff]/.test(text) ? undefined : decodeBody(Buffer.from(text, 'latin1'), headers);
}

/** Reads a body from a file in the folder of the HAR file; no other path is followed. */
async function readBeside(name: unknown, har: string): Promise<Buffer | undefined> {
  if (typeof name !== 'string' || har === '-' || name !== basename(name) || /^\.*$|[\0\\]/.test(name))
    return undefined;
  const file = join(dirname(har), name);
  const stats = await lstat(file).catch(() => undefined);
  if (!stats?.isFile()) return undefined;
  // What is too large to be judged need not be read.
  if (stats.size > JUDGED_LIMIT) return Buffer.alloc(JUDGED_LIMIT + 1);
  return readFile(file).catch(() => undefined);
}

/** A form that is recorded by its parameters alone. */
function readForm({ params, mimeType }: RecordedPart): Buffer | undefined {
  if (
    !Array.isArray(params) ||
    params.length === 0 ||
    !/^application\/x-www-form-urlencoded/i.test(String(mimeType))
  )
    return undefined;
  const pairs = params.map((parameter): [string, string] => [
    String(parameter?.name ?? ''),
    String(parameter?.value ?? ''),
  ]);
  return Buffer.from(String(new URLSearchParams(pairs)));
}
