import { createHash } from 'node:crypto';
import { readRegularFile, readStamp } from '../../common/cli/regular-file.ts';
import { replaceFile } from '../../common/cli/replace-file.ts';
import { type DataFile, DataFileError, failToRead, parseDataFile } from './data-file.ts';

/** A file of animals that is watched or saved. It knows what the mock has last read or written. */
export class FollowedFile {
  readonly path: string;
  readonly isSaved: boolean;
  #stamp: string | undefined;
  #digest: string | undefined;

  /** @param isSaved true if the mock may write the file */
  constructor(path: string, isSaved: boolean) {
    this.path = path;
    this.isSaved = isSaved;
  }

  /** Reads the animals. @throws DataFileError as `readDataFile` does, and for members that saving would remove */
  read(): DataFile {
    const { stamp, bytes } = this.#readBytes();
    const file = parseDataFile(this.path, bytes);
    if (this.isSaved && file.unknownProperties.length > 0) {
      const named = file.unknownProperties.join(', ');
      const problem = `${this.path} has members that the contract does not have, which saving would remove: ${named}`;
      throw new DataFileError(`${problem}. Remove them first`);
    }
    this.#stamp = stamp;
    this.#digest = toDigest(bytes);
    return file;
  }

  /** Replaces the content. @throws the error of the file system */
  write(content: string): void {
    replaceFile(this.path, content);
    // Its stamp may already be that of somebody else's content.
    this.#stamp = undefined;
    this.#digest = toDigest(content);
  }

  /**
   * Returns whether the file is missing, is as the mock has last read or written it, or was changed by somebody else.
   * @throws the error of the file system, or Error for anything but a regular file
   */
  look(): 'missing' | 'known' | 'foreign' {
    const stamp = readStamp(this.path);
    if (stamp === undefined) return 'missing';
    if (stamp === this.#stamp) return 'known';
    // A touched file has the same content.
    const read = readRegularFile(this.path);
    if (toDigest(read.bytes) !== this.#digest) return 'foreign';
    this.#stamp = read.stamp;
    return 'known';
  }

  #readBytes() {
    try {
      return readRegularFile(this.path);
    } catch (error) {
      return failToRead(this.path, error);
    }
  }
}

function toDigest(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('base64');
}
