import { createReadStream } from 'node:fs';
import { JSONParser } from '@streamparser/json';
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

const CHUNK = 256 * 1024;

/**
 * Reads the elements of `log.entries`.
 * @param file a path, or `-` for stdin
 * @throws HarError if the file cannot be read or is not a HAR file, or if a required member of an entry is missing
 */
export async function* readEntries(file: string): AsyncGenerator<Entry> {
  const stream = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: CHUNK });
  const parser = new JSONParser({ paths: ['$', '$.log.entries.*'] });
  let root: { readonly log?: { readonly entries?: unknown } } | undefined;
  let found: unknown[] = [];
  let count = 0;
  parser.onValue = ({ value, parent, key, stack }) => {
    if (stack.length === 0) root = value as typeof root;
    else if (Array.isArray(parent)) {
      found.push(value);
      count += 1;
      // The file may be larger than the memory.
      delete parent[key as number];
    }
  };
  parser.onError = (error) => {
    // The parser reports a second time what was thrown the first time.
    if (error instanceof HarError) throw error;
    const [what] = error.message.split(/ at chunk position| in state /);
    throw new HarError(`is not a HAR file: ${what} after ${count} entries`);
  };
  try {
    for await (const piece of stream) {
      parser.write(piece);
      const first = count - found.length;
      yield* found.map((value, index) => expectEntry(value, first + index));
      found = [];
    }
  } catch (error) {
    if (error instanceof HarError) throw error;
    throw new HarError(`could not be read: ${describeFileError(error)}`);
  }
  if (root === undefined) throw new HarError(`is not a whole HAR file: it ends after ${count} entries`);
  if (!Array.isArray(root.log?.entries))
    throw new HarError('is not a HAR file: it must have an array log.entries, and has none');
}

function expectEntry(value: unknown, index: number): Entry {
  const { url, method } = toPart(toPart(value).request);
  if (typeof url === 'string' && typeof method === 'string') return value as Entry;
  throw new HarError(`is not a HAR file: log.entries[${index}].request must have a url and a method`);
}
