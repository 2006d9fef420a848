import chromium from '@sparticuz/chromium';
import { type Browser, type LaunchOptions, chromium as launcher } from 'playwright-core';

/** Whether the npm package has a Chromium for this machine. */
const isPackaged = process.platform === 'linux' && process.arch === 'x64';

/**
 * Unpacks Chromium before Vitest starts its workers. Workers that unpack it themselves start a file that another worker still
 * writes.
 */
export async function setup(): Promise<void> {
  if (isPackaged) await chromium.executablePath();
}

/** Returns the options that start Chromium on this machine: that of the npm package, or the Chrome that is installed. */
export async function readLaunchOptions(): Promise<LaunchOptions> {
  if (!isPackaged) return { channel: 'chrome' };
  const executablePath = await chromium.executablePath();
  return { executablePath, args: ['--no-sandbox', '--disable-gpu'] };
}

/** Starts a headless Chromium. @returns why there is none, where neither the package has one for this machine nor Chrome is installed. */
export async function startBrowser(): Promise<Browser | string> {
  const launched = launcher.launch(await readLaunchOptions());
  return isPackaged ? launched : launched.catch(() => 'no Chromium: install Chrome to try this');
}
