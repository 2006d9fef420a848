import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { resolve } from 'node:path';

/** Codes of errors for a file that can be written but not replaced: in a folder without permission, or mounted by itself. */
const CANNOT_REPLACE = ['EACCES', 'EPERM', 'EROFS', 'EBUSY'];

/** The bits of a mode that say who may read and write a file. */
const PERMISSIONS = 0o777;

/**
 * A file that is written piece by piece next to the file that it replaces at the end, so that a run of any length needs no
 * memory for it and an earlier file stays until then. What cannot be replaced is written directly, such as a device or a pipe.
 * Each method throws the error of the file system.
 */
export class StreamFile {
  readonly #file: string;
  readonly #descriptor: number;
  #temporary: string | undefined;
  #isOpen = true;

  constructor(file: string) {
    this.#file = file;
    this.#descriptor = this.#open();
  }

  #open(): number {
    if (!isReplaceable(this.#file)) return openDirectly(this.#file);
    const old = statSync(this.#file, { throwIfNoEntry: false });
    const temporary = `${findTarget(this.#file)}.${crypto.randomUUID().slice(0, 8)}.tmp`;
    try {
      // Only those who may read the earlier file may read this one, also while it is written.
      const descriptor = openSync(temporary, 'wx', old && old.mode & PERMISSIONS);
      this.#temporary = temporary;
      return descriptor;
    } catch (error) {
      if (!isOfReplacing(error)) throw error;
      return openSync(this.#file, 'w');
    }
  }

  write(text: string): void {
    const bytes = Buffer.from(text);
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#descriptor, bytes, done);
  }

  end(): void {
    if (this.#temporary !== undefined) fsyncSync(this.#descriptor);
    this.#close();
    if (this.#temporary === undefined) return;
    const old = statSync(this.#file, { throwIfNoEntry: false });
    const target = findTarget(this.#file);
    try {
      if (old !== undefined) {
        chownSync(this.#temporary, old.uid, old.gid);
        chmodSync(this.#temporary, old.mode);
      }
      renameSync(this.#temporary, target);
    } catch (error) {
      if (!isOfReplacing(error)) throw error;
      copyFileSync(this.#temporary, target);
      rmSync(this.#temporary, { force: true });
    }
  }

  discard(): void {
    this.#close();
    if (this.#temporary !== undefined) rmSync(this.#temporary, { force: true });
  }

  #close(): void {
    if (this.#isOpen) closeSync(this.#descriptor);
    this.#isOpen = false;
  }
}

/** Opens what cannot be replaced. @throws for a pipe without a reader, for which Node would wait without end */
function openDirectly(file: string): number {
  if (!statSync(file, { throwIfNoEntry: false })?.isFIFO()) return openSync(file, 'w');
  const first = openSync(file, constants.O_WRONLY | constants.O_NONBLOCK);
  try {
    return openSync(file, 'w');
  } finally {
    // Not earlier, because a reader ends with the last writer.
    closeSync(first);
  }
}

/** Returns the file that a symbolic link leads to: the link stays. */
function findTarget(file: string): string {
  return statSync(file, { throwIfNoEntry: false }) === undefined ? file : realpathSync(file);
}

function isOfReplacing(error: unknown): boolean {
  return CANNOT_REPLACE.includes(`${(error as NodeJS.ErrnoException).code}`);
}

/** Returns whether another file may take the place of a file. */
function isReplaceable(file: string): boolean {
  // Behind /dev/stdout there may be a file that the shell has opened.
  if (/^\/(?:dev|proc)\//.test(resolve(file))) return false;
  const isNew = lstatSync(file, { throwIfNoEntry: false }) === undefined;
  return isNew || statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}
