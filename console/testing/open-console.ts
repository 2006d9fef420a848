import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { pipeline } from 'node:stream';
import type { BrowserContextOptions } from 'playwright-core';
import { onTestFinished, vi } from 'vitest';
import type { Mock } from '../../mock/index.ts';
import type { MockOptions } from '../../mock/mock-options.ts';
import { openPage } from '../../testing/browser.ts';
import { startTestMock } from '../../testing/start-test-mock.ts';

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
  return { mock, page: await openPage(`${origin}/${hash}`, others), origin };
}

/** A busy machine may take some seconds. */
export const waitFor = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000 });

/** Starts a server that forwards connections, since a port is not free for sure after a restart. */
export async function startForwarding(url: string) {
  let to = url;
  const server = createServer((socket) => {
    pipeline(socket, connect(Number(new URL(to).port), '127.0.0.1'), socket, () => {});
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    /** Forwards further connections to another server. */
    forwardTo: (other: string) => {
      to = other;
    },
  };
}

/** Nothing listens here. */
export const NOWHERE = 'http://127.0.0.1:9';
