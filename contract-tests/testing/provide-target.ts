import type { TestProject } from 'vitest/node';
import { startMock } from '../../mock/index.ts';
import { resolveTarget } from '../core/target.ts';
import { expectReady } from '../expect-ready.ts';

/**
 * Provides the deployment that BASE_URL and API_KEY name or, without them, a mock of its own.
 *
 * @returns what closes it again.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { BASE_URL: baseUrl, API_KEY: apiKey = 'test-key' } = process.env;
  const mock = baseUrl === undefined ? await startMock({ port: 0, log: 'silent' }) : undefined;
  const provided = { baseUrl: mock?.url ?? baseUrl ?? '', apiKey };
  if (URL.parse(provided.baseUrl) === null) throw new Error(`BASE_URL is not a URL: ${baseUrl}`);
  await expectReady(resolveTarget(provided)).catch(async (error) => {
    await mock?.close();
    throw error;
  });
  project.provide('target', provided);
  return async () => mock?.close();
}
