import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const manifest = join(import.meta.dirname, '../../../package.json');

/** The version of the project, which its packages have too. */
export const projectVersion: string = JSON.parse(readFileSync(manifest, 'utf8')).version;
