import { type Browser, chromium } from 'playwright-core';
import { findChromium, isPackaged } from '../chromium/find-chromium.ts';

/**
 * Installs and unpacks Chromium before Vitest starts its workers. Workers that unpack it themselves start a file that another worker
 * still writes.
 */
export async function setup(): Promise<void> {
  if (isPackaged) await findChromium();
}

/** Starts a headless Chromium. @returns why there is none, where neither the package has one for this machine nor Chrome is installed. */
export async function startBrowser(): Promise<Browser | string> {
  if (isPackaged) {
    const executablePath = await findChromium();
    return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  }
  return chromium.launch({ channel: 'chrome' }).catch(() => 'no Chromium: install Chrome to try this');
}
