import { onTestFinished } from 'vitest';
import { type Mock, startMock } from '../index.ts';
import type { MockOptions } from '../options.ts';

/** Starts a mock for the test that is running, on a free port, and closes it afterwards. */
export async function startTestMock(options: MockOptions = {}): Promise<Mock> {
  const mock = await startMock({ port: 0, log: 'silent', ...options });
  onTestFinished(() => mock.close());
  return mock;
}
