// Each worker has a session of the mock, so that tests side by side do not see each other's animals.
import { type APIResponse, test as base } from '@playwright/test';

/** Drives the session of this worker, such as `mock('PUT', '/animals', [{ name: 'Rex', categoryId: 1 }])`. */
type Mock = (method: string, path: string, data?: unknown) => Promise<APIResponse>;

export const test = base.extend<{ mock: Mock }>({
  mock: [
    async ({ page, request }, use, { parallelIndex }) => {
      const session = `/sessions/worker-${parallelIndex}`;
      const mock: Mock = (method, path, data) =>
        request.fetch(`${session}/__admin${path}`, { method, data, failOnStatusCode: true });
      await mock('POST', '/reset');
      await page.route('**/v1/**', (route) =>
        route.continue({ url: route.request().url().replace('/v1/', `${session}/v1/`) }),
      );
      await use(mock);
    },
    { auto: true },
  ],
});

export { expect } from '@playwright/test';
