import { join } from 'node:path';
import { findNode } from '../nodes/find-node.ts';

/** Whether there is a package with the Node that becomes the executable of this system. */
export const hasNode: boolean = process.platform === 'linux' && process.arch === 'x64';

/** Installs the Node that becomes the executable. @returns its path. @throws Error where there is no package of it */
export function installNode(): string {
  if (!hasNode)
    throw new Error('There is a package of Node 26 for Linux x64 only. Give a Node 26 with --node.');
  return join(findNode('26'), 'node');
}
