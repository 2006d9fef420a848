import {
  chmodSync,
  chownSync,
  lstatSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { resolve } from 'node:path';

/** Codes of errors for a file that can be written but not replaced: in a folder without permission, or mounted by itself. */
export const CANNOT_REPLACE = ['EACCES', 'EPERM', 'EROFS', 'EBUSY'];

/** The bits of a mode that say who may read and write a file. */
export const PERMISSIONS = 0o777;

/**
 * Writes a file that keeps its old content until the new content is on the disk, so that a full disk destroys nothing.
 * What cannot be replaced is written directly, such as a device or a pipe.
 * @throws the error of the file system
 */
export function replaceFile(file: string, content: string): void {
  if (!isReplaceable(file)) {
    writeFileSync(file, content);
    return;
  }
  const old = statSync(file, { throwIfNoEntry: false });
  // A symbolic link stays, and its target is replaced.
  const target = old === undefined ? file : realpathSync(file);
  const temporary = `${target}.${crypto.randomUUID().slice(0, 8)}.tmp`;
  try {
    // Only those who may read the old file may read this one, also while it is written.
    const mode = old && old.mode & PERMISSIONS;
    writeFileSync(temporary, content, { flag: 'wx', flush: true, mode });
    if (old !== undefined) {
      chownSync(temporary, old.uid, old.gid);
      chmodSync(temporary, old.mode);
    }
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    if (!CANNOT_REPLACE.includes(`${(error as NodeJS.ErrnoException).code}`)) throw error;
    writeFileSync(file, content);
  }
}

/** Returns whether another file may take the place of a file. */
export function isReplaceable(file: string): boolean {
  // Behind /dev/stdout there may be a file that the shell has opened.
  if (/^\/(?:dev|proc)\//.test(resolve(file))) return false;
  const isNew = lstatSync(file, { throwIfNoEntry: false }) === undefined;
  return isNew || statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}
