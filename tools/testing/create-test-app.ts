import type { Express } from 'express';
import { afterAll, onTestFinished } from 'vitest';
import { createApplication } from '../../mock/create-application.ts';
import { createMock, type Mock } from '../../mock/mock.ts';
import type { MockOptions } from '../../mock/mock-options.ts';
import { resolveMockOptions } from '../../mock/options.ts';

/** A mock that no test can connect to: `send` takes its application. The URLs of the mock and its sessions are paths. */
export interface TestApp extends Mock {
  readonly app: Express;
}

/** The options that an application heeds. The others are for the server. */
type AppOptions = Omit<MockOptions, 'port' | 'tlsCert' | 'tlsKey' | 'checkedProxy' | 'checkedPort' | 'watch'>;

/** Creates the application of a mock for the test that is running, and ends its sessions afterwards. */
export async function createTestApp(options: AppOptions = {}, whenDone = onTestFinished): Promise<TestApp> {
  const config = resolveMockOptions({ log: 'silent', ...options });
  const { app, sessions, ...application } = await createApplication(config);
  const { unknownProperties, unknownChoices } = application;
  const close = async () => sessions.close();
  whenDone(close);
  const others = { unknownProperties, unknownChoices, close };
  return Object.assign(createMock(sessions, '', others), { app });
}

/** Creates the application of a mock for the tests of a file. */
export const createFileApp = (options?: AppOptions): Promise<TestApp> => createTestApp(options, afterAll);
