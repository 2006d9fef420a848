// Each worker has a session of the mock, so that tests side by side do not see each other's animals.
import { test as base } from '@playwright/test';
import { connectMock, type RemoteSession } from 'animal-store-mock/client';

const origin = `http://127.0.0.1:${process.env.MOCK_PORT ?? 4010}`;

export const test = base.extend<{ mock: RemoteSession }>({
  mock: [
    async ({ page }, use, { parallelIndex }) => {
      const name = `worker-${parallelIndex}`;
      const mock = connectMock(origin).session(name);
      await mock.reset();
      await page.route('**/v1/**', (route) =>
        route.continue({ url: route.request().url().replace('/v1/', `/sessions/${name}/v1/`) }),
      );
      await use(mock);
    },
    { auto: true },
  ],
});

export { expect } from '@playwright/test';
