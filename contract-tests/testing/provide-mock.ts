import type { TestProject } from 'vitest/node';
import { startMock } from '../../mock/index.ts';

/**
 * Provides a new mock as the target, whatever the environment says: `npm test` must never reach a real deployment.
 * @returns what closes it again.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const mock = await startMock({ port: 0, log: 'silent' });
  project.provide('target', { baseUrl: mock.url, apiKey: 'test-key', allowWrites: true });
  return () => mock.close();
}
