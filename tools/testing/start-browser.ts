import chromium from '@sparticuz/chromium';
import { type Browser, chromium as launcher } from 'playwright-core';

/** Whether the npm package has a Chromium for this machine. */
const isPackaged = process.platform === 'linux' && process.arch === 'x64';

/**
 * Unpacks Chromium before Vitest starts its workers. Workers that unpack it themselves start a file that another worker still
 * writes.
 */
export async function setup(): Promise<void> {
  if (isPackaged) await chromium.executablePath();
}

/** Starts a headless Chromium. @returns why there is none, where neither the package has one for this machine nor Chrome is installed. */
export async function startBrowser(): Promise<Browser | string> {
  if (isPackaged) {
    const executablePath = await chromium.executablePath();
    return launcher.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  }
  return launcher.launch({ channel: 'chrome' }).catch(() => 'no Chromium: install Chrome to try this');
}
