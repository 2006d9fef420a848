import { createRequire } from 'node:module';
import { installFolder } from '../install/install-folder.ts';

/** What we use of @sparticuz/chromium, whose types are only there when it is installed. */
interface Chromium {
  executablePath(): Promise<string>;
}

/** Whether the npm package has a Chromium for this machine. */
export const isPackaged = process.platform === 'linux' && process.arch === 'x64';

/** Returns the program of the packaged Chromium, which it installs and unpacks first if need be. */
export function findChromium(): Promise<string> {
  installFolder('tools/chromium');
  const require = createRequire(import.meta.url);
  const chromium: { readonly default: Chromium } = require('@sparticuz/chromium');
  return chromium.default.executablePath();
}
