import chromium from '@sparticuz/chromium';
import { type Browser, chromium as launcher } from 'playwright-core';

/** Starts a headless Chromium. @returns why there is none, where neither the package has one for this machine nor Chrome is installed. */
export async function startBrowser(): Promise<Browser | string> {
  const isPackaged = process.platform === 'linux' && process.arch === 'x64';
  if (isPackaged) {
    const executablePath = await chromium.executablePath();
    return launcher.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  }
  return launcher.launch({ channel: 'chrome' }).catch(() => 'no Chromium: install Chrome to try this');
}
