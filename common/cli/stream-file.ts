import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { CANNOT_REPLACE, isReplaceable, PERMISSIONS } from './replace-file.ts';

/**
 * A file that is written piece by piece next to the file that it replaces at the end, so that a run of any length needs no
 * memory for it and an earlier file stays until then. What cannot be replaced is written directly, such as a device or a pipe.
 * Each method throws the error of the file system.
 */
export class StreamFile {
  readonly #file: string;
  readonly #temporary: string | undefined;
  readonly #descriptor: number;
  #isOpen = true;

  constructor(file: string) {
    this.#file = file;
    const old = statSync(file, { throwIfNoEntry: false });
    // A symbolic link stays, and its target is replaced.
    const target = old === undefined ? file : realpathSync(file);
    this.#temporary = isReplaceable(file) ? `${target}.${randomUUID().slice(0, 8)}.tmp` : undefined;
    const flag = this.#temporary === undefined ? 'w' : 'wx';
    // Only those who may read the earlier file may read this one, also while it is written.
    this.#descriptor = openSync(this.#temporary ?? file, flag, old && old.mode & PERMISSIONS);
  }

  write(text: string): void {
    const bytes = Buffer.from(text);
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#descriptor, bytes, done);
  }

  /** Puts the file in its place. */
  end(): void {
    if (this.#temporary !== undefined) fsyncSync(this.#descriptor);
    this.#close();
    if (this.#temporary === undefined) return;
    const old = statSync(this.#file, { throwIfNoEntry: false });
    const target = old === undefined ? this.#file : realpathSync(this.#file);
    try {
      if (old !== undefined) {
        chownSync(this.#temporary, old.uid, old.gid);
        chmodSync(this.#temporary, old.mode);
      }
      renameSync(this.#temporary, target);
    } catch (error) {
      if (!CANNOT_REPLACE.includes(`${(error as NodeJS.ErrnoException).code}`)) throw error;
      copyFileSync(this.#temporary, target);
      rmSync(this.#temporary, { force: true });
    }
  }

  /** Removes what was written, and leaves the earlier file. */
  discard(): void {
    this.#close();
    if (this.#temporary !== undefined) rmSync(this.#temporary, { force: true });
  }

  #close(): void {
    if (this.#isOpen) closeSync(this.#descriptor);
    this.#isOpen = false;
  }
}
