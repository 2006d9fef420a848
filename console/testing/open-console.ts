import { connect, createServer } from 'node:net';
import { pipeline } from 'node:stream';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { vi } from 'vitest';
import type { Mock } from '../../mock/index.ts';
import type { MockOptions } from '../../mock/mock-options.ts';
import { openPage } from '../../tools/testing/browser.ts';
import { listen } from '../../tools/testing/listen.ts';
import { startTestMock } from '../../tools/testing/start-test-mock.ts';

interface ConsoleOptions extends BrowserContextOptions {
  readonly mock?: MockOptions;
  /** Called before the page is opened. */
  readonly before?: (mock: Mock) => unknown;
  readonly hash?: string;
}

/** Opens the console of a mock. */
export async function openConsole({ mock: options = {}, before, hash = '', ...others }: ConsoleOptions = {}) {
  const mock = await startTestMock(options);
  await before?.(mock);
  const { origin } = new URL(mock.url);
  const page = await openPage(`${origin}/${hash}`, others);
  return { mock, page, origin, ...actionsOf(page) };
}

/** Short names for actions of a user. */
export const actionsOf = (page: Page) => ({
  /** Waits for a text. */
  see: (text: string | RegExp, exact = false) => page.getByText(text, { exact }).last().waitFor(),
  click: (name: string | RegExp) => page.getByRole('button', { name, exact: true }).last().click(),
  follow: (name: string | RegExp) => page.getByRole('link', { name }).first().click(),
  goTo: (hash: string) => page.evaluate(`location.hash = ${JSON.stringify(hash)}`),
  fill: (label: string, text: string) => page.getByLabel(label).first().fill(text),
  choose: (label: string, option: string) => page.getByLabel(label).first().selectOption(option),
  press: async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  },
});

/** A busy machine may take some seconds. */
export const waitFor = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000 });

/** Starts a server that forwards connections, since a port may be in use after a restart. */
export async function startForwarding(url: string) {
  let to = url;
  const server = createServer((socket) => {
    pipeline(socket, connect(Number(new URL(to).port), '127.0.0.1'), socket, () => {});
  });
  const forwardTo = (other: string) => {
    to = other;
  };
  return { origin: await listen(server), forwardTo };
}
