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

/** What a run prints as soon as `zeroRedirects` has failed. */
export const zeroFailure = '✗ list-pets/limit-invalid: expected a 4xx or a list for ?limit=0, received 302\n';

/** Number of required clauses. */
export const required = requiredIds.length;
