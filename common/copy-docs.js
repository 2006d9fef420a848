import { cpSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';

/** What users of a package do not read: pictures of the README, and how to release. */
const left = new Set(['pictures', 'RELEASING.md']);

/** Copies the documents into a package, whose messages and pages name them. */
export function copyDocs(folder) {
  const target = join(folder, 'docs');
  rmSync(target, { recursive: true, force: true });
  const filter = (file) => !left.has(basename(file));
  cpSync(join(import.meta.dirname, '../docs'), target, { recursive: true, filter });
}
