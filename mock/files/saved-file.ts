import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { readRegularFile } from '../../common/cli/regular-file.ts';
import { replaceFile } from '../../common/cli/replace-file.ts';
import { type DataFile, DataFileError, failToRead, parseDataFile } from './data-file.ts';

/** The file that animals are saved to. It knows what the mock has last read or written. */
export class SavedFile {
  readonly path: string;
  #digest: string | undefined;

  constructor(path: string) {
    this.path = path;
  }

  /** Reads the animals. @throws DataFileError as `readDataFile` does, and for members that saving would remove */
  read(): DataFile {
    const bytes = readBytes(this.path);
    const file = parseDataFile(this.path, bytes);
    if (file.unknownProperties.length > 0) {
      const named = file.unknownProperties.join(', ');
      const problem = `${this.path} has members that the contract does not have, which saving would remove: ${named}`;
      throw new DataFileError(`${problem}. Remove them first`);
    }
    this.#digest = toDigest(bytes);
    return file;
  }

  /** Replaces the content. @throws Error for what another program has written, and the error of the file system */
  write(content: string): void {
    const isThere = statSync(this.path, { throwIfNoEntry: false }) !== undefined;
    if (isThere && toDigest(readRegularFile(this.path)) !== this.#digest)
      throw new Error(
        'another program has changed the file, which keeps its content: move it away, or restart the mock to read it',
      );
    replaceFile(this.path, content);
    this.#digest = toDigest(content);
  }
}

/** Reads the bytes of a file of animals. @throws DataFileError */
export function readBytes(path: string): Buffer {
  try {
    return readRegularFile(path);
  } catch (error) {
    return failToRead(path, error);
  }
}

function toDigest(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('base64');
}
