import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/** Reads a file. Links are followed. @throws the error of the file system, or Error for anything but a regular file */
export function readRegularFile(file: string): Buffer {
  // A pipe that nobody writes to would block this thread for ever, so that no signal ends the process. Windows has no such flag.
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (!fstatSync(descriptor).isFile()) throw new Error('it is not a regular file');
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
