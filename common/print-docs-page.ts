import { existsSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The documents are at the root of a checkout, and in a package next to `dist`, whose code is one folder deeper. */
const FOLDERS = ['../docs/', '../../docs/'];

/** Returns the path of a page as a user of this terminal opens it; undefined if the program has no documents. */
export function printDocsPage(page: string): string | undefined {
  const paths = FOLDERS.map((folder) => fileURLToPath(new URL(folder + page, import.meta.url)));
  const path = paths.find(existsSync);
  if (path === undefined) return undefined;
  const fromHere = relative(process.cwd(), path);
  return fromHere.startsWith('..') || isAbsolute(fromHere) ? path : fromHere;
}
