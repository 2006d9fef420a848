import { StreamFile } from './stream-file.ts';

/**
 * Writes a file that keeps its old content until the new content is on the disk, so that a full disk destroys nothing.
 * @throws the error of the file system
 */
export function replaceFile(file: string, content: string): void {
  const stream = new StreamFile(file);
  try {
    stream.write(content);
    stream.end();
  } catch (error) {
    stream.discard();
    throw error;
  }
}
