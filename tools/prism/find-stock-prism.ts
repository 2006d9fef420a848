import { join } from 'node:path';
import { installFolder } from '../install/install-folder.ts';

/** Returns the program of the stock Prism, which it installs first if need be. */
export function findStockPrism(): string {
  installFolder('tools/prism');
  return join(import.meta.dirname, 'node_modules/@stoplight/prism-cli/dist/index.js');
}
