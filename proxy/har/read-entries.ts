import { createReadStream } from 'node:fs';
import { JSONParser } from '@streamparser/json';
import { sizeOfFile } from '../../common/cli/option-files.ts';
import { StartError } from '../../common/cli/usage-error.ts';

/** A fault of a HAR file. The message follows the name of the file. */
export class HarError extends StartError {
  override readonly name = 'HarError';
}

/**
 * Reads the elements of `log.entries`, all of a piece of the file together.
 *
 * @param file a path, or `-` for stdin.
 * @param onProgress called first, and then with the percentage that is read; undefined for a pipe.
 * @throws HarError if the file cannot be read or is not a HAR file.
 */
export async function* readEntries(
  file: string,
  onProgress: (percent: number | undefined) => void,
): AsyncGenerator<readonly unknown[]> {
  onProgress(undefined);
  const size = file === '-' ? undefined : await sizeOfFile(file).catch(fail);
  const stream = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 256 * 1024 });
  const parser = new JSONParser({ paths: ['$', '$.log.entries.*'] });
  let root: { readonly log?: { readonly entries?: unknown } } | undefined;
  let found: unknown[] = [];
  let [read, count] = [0, 0];
  const place = () => (count > 0 ? ` in or behind log.entries[${count}]` : '');
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
    throw new HarError(`is not JSON: ${what}${root === undefined ? place() : ', after its end'}`);
  };
  const pieces = stream[Symbol.asyncIterator]();
  for (;;) {
    const { value: piece, done } = await pieces.next().catch(fail);
    if (done) break;
    if (read === 0 && !/^\ufeff?\s*(?:\{|$)/.test(String(piece.subarray(0, 1024))))
      throw new HarError('is not a HAR file: it must be a JSON object, and begins with something else');
    parser.write(piece);
    read += piece.length;
    yield found;
    found = [];
    onProgress(size && Math.floor((100 * read) / Math.max(size, read)));
  }
  if (read === 0) throw new HarError('is empty; it must be a HAR file');
  if (root === undefined) throw new HarError(`is cut off: it ends at byte ${read}${place()}`);
  if (!Array.isArray(root.log?.entries))
    throw new HarError('is not a HAR file: it must have an array log.entries, and has none');
  if (count === 0) throw new HarError('holds no exchange: its log.entries is empty');
}

function fail({ message }: Error): never {
  throw new HarError(`could not be read: ${message.replace(/, \w+ '.*'$/s, '')}`);
}
