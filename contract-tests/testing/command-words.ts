import { join } from 'node:path';
import { createFolder } from '../../tools/testing/create-folder.ts';
import { requiredIds } from '../rules/clauses.ts';

/** Returns the options that choose clauses. */
export const only = (...ids: string[]) => ids.flatMap((id) => ['--only', id]);

/** Returns the path of a file in a folder of the test, which does not exist yet. */
export const createFile = (name: string) => join(createFolder(), name);

/** Returns what a read-only run prints before its first clause. */
export const announce = (url: string) =>
  `Verifying ${url}. The run is read-only. It does not test POST /pets.\n`;

/** Number of required clauses. */
export const required = requiredIds.length;
