import { X509Certificate } from 'node:crypto';
import { accessSync, constants, createReadStream, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { UsageError } from './usage-error.ts';

/** Largest file that a command reads, in bytes. */
export const LARGEST_FILE = 256 * 1024 * 1024;

/** Returns the size of a file in bytes, 0 for a pipe. @throws Error for a missing file, a folder or a device */
export async function sizeOfFile(file: string): Promise<number> {
  const stats = await stat(file);
  if (!stats.isFile() && !stats.isFIFO()) throw new Error('it is neither a file nor a pipe');
  return stats.size;
}

/** Reads a file or a pipe. @throws Error if it cannot be read, or is larger than 256 MiB */
export async function readBoundedFile(file: string): Promise<Buffer> {
  const tooLarge = new Error('it is larger than 256 MiB');
  if ((await sizeOfFile(file)) > LARGEST_FILE) throw tooLarge;
  const chunks: Buffer[] = [];
  let size = 0;
  // The size of a pipe is unknown.
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 })) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > LARGEST_FILE) throw tooLarge;
  }
  return Buffer.concat(chunks);
}

/** Reads certificates in PEM from the file of an option. @throws UsageError if there is no file or no certificate */
export async function readCertificates(file: string, option = '--ca'): Promise<string> {
  const text = await readOptionFile(file, option);
  try {
    new X509Certificate(text);
  } catch {
    throw new UsageError(`${option}: ${file} holds no certificate in PEM`);
  }
  return text;
}

/** Reads the file of an option. @throws UsageError if it cannot be read */
export async function readOptionFile(file: string, option: string): Promise<string> {
  return String(
    await readBoundedFile(file).catch((error) => fail(`${option}: ${file} could not be read`, error)),
  );
}

/** Checks that the file of an option can be written, without changing it. @throws UsageError if it cannot */
export function expectWritable(file: string, option: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  try {
    accessSync(stats === undefined ? dirname(file) : file, constants.W_OK);
    if (stats?.isDirectory()) throw new Error('it is a folder');
  } catch (error) {
    fail(`${option}: ${file} could not be written`, error);
  }
}

function fail(failure: string, error: unknown): never {
  // Node's message repeats the path, of a folder too, which may end in the middle of a key.
  throw new UsageError(`${failure}: ${(error as Error).message.replace(/, \w+ '.*'$/s, '')}`);
}
