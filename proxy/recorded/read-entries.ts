import { createReadStream } from 'node:fs';
import { sizeOfFile } from '../../common/read-bounded-file.ts';
import { createEntrySplitter, HarError, type RawEntry } from './create-entry-splitter.ts';

/** How much of a file is read at once, in bytes. */
const PIECE = 256 * 1024;

/**
 * Reads the entries of a HAR file, those of each piece together.
 *
 * @param file a path, or `-` for stdin.
 * @param onProgress told at the start, and then how much has been read, in percent; of a pipe that is undefined.
 * @throws HarError when it cannot be read, or is not a HAR file.
 */
export async function* readEntries(
  file: string,
  onProgress: (percent: number | undefined) => void,
): AsyncGenerator<readonly RawEntry[]> {
  const splitter = createEntrySplitter();
  let read = 0;
  onProgress(undefined);
  const size = file === '-' ? undefined : await sizeOfFile(file).catch(fail);
  const stream = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: PIECE });
  const pieces = stream[Symbol.asyncIterator]();
  for (;;) {
    const { value, done } = await pieces.next().catch(fail);
    if (done) break;
    yield splitter.push(value);
    read += value.length;
    onProgress(size && Math.floor((100 * read) / Math.max(size, read)));
  }
  splitter.end();
}

function fail({ message }: Error): never {
  throw new HarError(`could not be read: ${message.replace(/, \w+ '.*'$/s, '')}`);
}
