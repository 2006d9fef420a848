import { type BigIntStats, closeSync, constants, fstatSync, openSync, readFileSync, statSync } from 'node:fs';

/**
 * Returns what changes with the content of a file; undefined if there is no file. Links are followed.
 * @throws the error of the file system, or Error for anything but a regular file
 */
export function readStamp(file: string): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false, bigint: true });
  return stats && toStamp(stats);
}

/** Reads a file, and what changes with its content. It throws as `readStamp` does, also if there is no file. */
export function readRegularFile(file: string): { readonly stamp: string; readonly bytes: Buffer } {
  // A pipe that nobody writes to would block this thread for ever, so that no signal ends the process. Windows has no such flag.
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stamp = toStamp(fstatSync(descriptor, { bigint: true }));
    return { stamp, bytes: readFileSync(descriptor) };
  } finally {
    closeSync(descriptor);
  }
}

function toStamp(stats: BigIntStats): string {
  if (!stats.isFile()) throw new Error('it is not a regular file');
  return [stats.ino, stats.size, stats.mtimeNs].join(' ');
}
