import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';

/** The largest file that a command reads, in bytes. */
export const LARGEST_FILE = 256 * 1024 * 1024;

const tooLarge = new Error('it is larger than 256 MiB');

/** Tells the size of a file, in bytes; undefined for a pipe. @throws Error when it is neither, or is not there. */
export async function sizeOfFile(file: string): Promise<number | undefined> {
  const stats = await stat(file);
  if (!stats.isFile() && !stats.isFIFO()) throw new Error('it is neither a file nor a pipe');
  return stats.isFile() ? stats.size : undefined;
}

/** Reads a file or a pipe. @throws Error when it cannot be read, is neither, or is larger than 256 MiB. */
export async function readBoundedFile(file: string): Promise<Buffer> {
  if (((await sizeOfFile(file)) ?? 0) > LARGEST_FILE) throw tooLarge;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 })) {
    chunks.push(chunk);
    size += chunk.length;
    // What a pipe holds is not known before, and a file may grow.
    if (size > LARGEST_FILE) throw tooLarge;
  }
  return Buffer.concat(chunks);
}
