import { randomUUID } from 'node:crypto';
import { test as base, type TestInfo } from '@playwright/test';
import { ApiError } from '../../common/http/api-error.ts';
import { connectMock, type RemoteMock, type RemoteSession } from '../client/connect-mock.ts';
import type { MockOptions } from '../mock-options.ts';
import { attachJournal } from './attach-journal.ts';
import { readOrigins } from './read-origins.ts';

export { expect } from '@playwright/test';

/** Options of the fixtures for a test, under `use` of the configuration or in `test.use`. */
export interface MockTestOptions {
  /** Origins that get the header of the session, in addition to those of `baseURL`, the mock and its checked proxy. @default [] */
  readonly mockOrigins: readonly string[];
}

/** Options of the fixtures for a worker, under `use` of the configuration or in `test.use`. */
export interface MockWorkerOptions {
  /** URL of a mock that is listening. @default undefined, which starts a mock for each worker */
  readonly mockUrl: string | undefined;
  /** Options of the mock that a worker starts. The mock at `mockUrl` is controlled with its `adminToken`. @default a free port and no log */
  readonly mockOptions: MockOptions;
}

/** Fixtures of a test. */
export interface MockFixtures {
  /** Session of the test, which ends with it. The browser context of the test sends its header. */
  readonly mock: RemoteSession;
}

/** Fixtures of a worker. */
export interface MockWorkerFixtures {
  /** The mock that the tests of the worker share. */
  readonly mockServer: RemoteMock;
}

/** Declares a test with a session of a mock. Its options and fixtures are those of Playwright, and the ones above. */
export const test = base.extend<MockFixtures & MockTestOptions, MockWorkerFixtures & MockWorkerOptions>({
  mockUrl: [undefined, { option: true, scope: 'worker' }],
  mockOptions: [{}, { option: true, scope: 'worker' }],
  mockOrigins: [[], { option: true }],

  mockServer: [
    async ({ mockUrl, mockOptions }, use) => {
      const { adminToken } = mockOptions;
      const connect = (url: string) => connectMock(url, adminToken === undefined ? {} : { adminToken });
      // Names the option, unlike the error of the client.
      readOrigins({ mockUrl });
      if (mockUrl !== undefined) return use(connect(mockUrl));
      const { startMock } = await import('../index.ts');
      const mock = await startMock({ port: 0, log: 'silent', ...mockOptions });
      await use(connect(mock.url));
      await mock.close();
    },
    { scope: 'worker' },
  ],

  mock: async ({ mockServer, mockUrl, baseURL, mockOrigins }, use, testInfo) => {
    const name = nameSession(testInfo);
    const session = mockServer.session(name);
    // The session starts here, so that the mock ends no session of a test that sends nothing for long.
    await session.reset();
    await use(session);
    const findSentTo = () => findOrigins({ mockServer, baseURL, mockOrigins });
    const ownUrl = mockUrl === undefined ? mockServer.url : undefined;
    await attachJournal(session, findSentTo, testInfo, ownUrl);
    await mockServer.endSession(name).catch(ignoreMissing);
  },

  context: async ({ context, mock, mockServer, baseURL, mockOrigins }, use) => {
    const origins = await findOrigins({ mockServer, baseURL, mockOrigins });
    // Not for all requests, because services of others may refuse a header that they do not know.
    await context.route(
      ({ origin }) => origins.has(origin),
      async (route, request) => {
        // Handlers of the test that were added to the context before come next.
        await route.fallback({ headers: { ...request.headers(), ...toLowerCase(mock.headers) } });
      },
    );
    await use(context);
  },
});

type OfOrigins = Pick<MockTestOptions & MockWorkerFixtures, 'mockOrigins' | 'mockServer'> & {
  readonly baseURL: string | undefined;
};

async function findOrigins({ mockServer, ...options }: OfOrigins): Promise<ReadonlySet<string>> {
  return readOrigins({ ...options, mockUrl: mockServer.url, checkedUrl: await mockServer.checkedUrl() });
}

/** Spells the names of headers as Playwright does. */
function toLowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

const LONGEST_TITLE = 40;

/** Number of characters that tell tests with the same title apart. */
const RANDOM_LENGTH = 8;

/** Names a session after its test, so that the console and the log show whose it is. No other test has this name. */
function nameSession({ title }: TestInfo): string {
  const words = title.replaceAll(/[^\w.-]+/g, '-').slice(0, LONGEST_TITLE);
  return `${words}-${randomUUID().slice(0, RANDOM_LENGTH)}`;
}

/** Ignores that the test has ended its session. @throws every other error */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof ApiError) || error.code !== 'not_found') throw error;
}
