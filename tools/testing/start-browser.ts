import { type Browser, chromium, type LaunchOptions } from 'playwright-core';
import { findChromium, isPackaged } from '../chromium/find-chromium.ts';

/**
 * Installs and unpacks Chromium before Vitest starts its workers. Workers that unpack it themselves start a file that another worker
 * still writes.
 */
export async function setup(): Promise<void> {
  if (isPackaged) await findChromium();
}

/** Returns the options that start Chromium on this machine: that of the npm package, or the Chrome that is installed. */
export async function readLaunchOptions(): Promise<LaunchOptions> {
  if (!isPackaged) return { channel: 'chrome' };
  const executablePath = await findChromium();
  return { executablePath, args: ['--no-sandbox', '--disable-gpu'] };
}

/** Starts a headless Chromium. @returns why there is none, where neither the package has one for this machine nor Chrome is installed. */
export async function startBrowser(): Promise<Browser | string> {
  const launched = chromium.launch(await readLaunchOptions());
  return isPackaged ? launched : launched.catch(() => 'no Chromium: install Chrome to try this');
}
