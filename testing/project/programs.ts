import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** Code that users never run: tests, proofs, examples and tools for maintainers. */
const noProgram = /\.test\.|(?:^|\/)testing\/|deployments\/|mutants\/|generated|^(?:examples|bench|fuzz)\//;

/** Returns the tracked files whose names match, as paths from the root. */
export function listFiles(pattern: RegExp): string[] {
  const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n');
  return files.filter((file) => pattern.test(file));
}

/** Returns the files of code. */
export const listCode = (): string[] => listFiles(/\.(?:ts|js|mjs|cjs)$/);

/** Returns the files of the programs. */
export const listPrograms = (): string[] => listCode().filter((file) => !noProgram.test(file));

/** Returns the text of a file. @param file from the root */
export const readText = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Returns the number of lines in all files. */
export function countLines(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + (readText(file).match(/\n/g)?.length ?? 0), 0);
}
