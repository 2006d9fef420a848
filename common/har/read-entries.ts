import { createReadStream } from 'node:fs';
import { text } from 'node:stream/consumers';
import { describeFileError } from '../cli/option-files.ts';
import { StartError } from '../cli/usage-error.ts';
import { type RecordedPart, toPart } from './read-recorded-body.ts';

/** A fault of a HAR file. The message follows the name of the file. */
export class HarError extends StartError {
  override readonly name = 'HarError';
}

/** An element of `log.entries`. Source: HAR 1.2, entries */
export interface Entry extends RecordedPart {
  readonly request: RecordedPart & { readonly method: string; readonly url: string };
}

/**
 * Reads the elements of `log.entries`.
 * @param file a path, or `-` for stdin
 * @throws HarError if the file cannot be read or is not a HAR file, or if a required member of an entry is missing
 */
export async function readEntries(file: string): Promise<readonly Entry[]> {
  const har = parse(await readText(file));
  const { entries } = toPart(toPart(har).log);
  if (!Array.isArray(entries))
    throw new HarError('is not a HAR file: it must have an array log.entries, and has none');
  for (const [index, entry] of entries.entries()) {
    const { url, method } = toPart(toPart(entry).request);
    if (typeof url !== 'string' || typeof method !== 'string')
      throw new HarError(`is not a HAR file: log.entries[${index}].request must have a url and a method`);
  }
  return entries;
}

async function readText(file: string): Promise<string> {
  try {
    // It leaves out a byte order mark, with which some recorders begin.
    return await text(file === '-' ? process.stdin : createReadStream(file));
  } catch (error) {
    throw new HarError(`could not be read: ${describeFileError(error)}`);
  }
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // The message of the error may quote a key.
    throw new HarError('is not a HAR file: it is not JSON, or only a part of it');
  }
}
