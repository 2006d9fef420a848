import { createReadStream } from 'node:fs';
import { JSONParser } from '@streamparser/json';
import { StartError } from '../cli/usage-error.ts';

/** A fault of a HAR file. The message follows the name of the file. */
export class HarError extends StartError {
  override readonly name = 'HarError';
}

/** Number of bytes that are read at a time. */
const CHUNK = 256 * 1024;

/** Reads the elements of `log.entries`. @param file a path, or `-` for stdin */
export async function* readEntries(file: string): AsyncGenerator<unknown> {
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
      yield* found;
      found = [];
    }
  } catch (error) {
    if (error instanceof HarError) throw error;
    throw new HarError(`could not be read: ${(error as Error).message.replace(/, \w+ '.*'$/s, '')}`);
  }
  if (root === undefined) throw new HarError(`is not a whole HAR file: it ends after ${count} entries`);
  if (!Array.isArray(root.log?.entries))
    throw new HarError('is not a HAR file: it must have an array log.entries, and has none');
}
