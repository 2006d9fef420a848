import type { TestProject } from 'vitest/node';
import { startMock } from '../../mock/index.ts';

/**
 * Provides the deployment that BASE_URL and API_KEY name, which is only read from. Without BASE_URL it starts a mock.
 *
 * @returns what closes it again.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { BASE_URL: baseUrl, API_KEY: apiKey = 'test-key' } = process.env;
  const mock = baseUrl === undefined ? await startMock({ port: 0, log: 'silent' }) : undefined;
  project.provide('target', { baseUrl: mock?.url ?? baseUrl ?? '', apiKey, allowWrites: mock !== undefined });
  return async () => mock?.close();
}
