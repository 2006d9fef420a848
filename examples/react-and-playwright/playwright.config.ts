// With the tarball of docs/guides/install.md: npm install ./animal-store-mock-0.1.0.tgz && npm run generate && npx playwright install chromium && npm test
import { defineConfig } from '@playwright/test';
import type { MockTestOptions, MockWorkerOptions } from 'animal-store-mock/playwright';

const { APP_PORT = '3000', MOCK_PORT = '4010' } = process.env;
const baseURL = `http://127.0.0.1:${APP_PORT}`;
// The mock that a gate has started: npx --no -- animal-store-mock --port 0 --fail-on warning -- npm test
const { ANIMAL_STORE_URL = `http://127.0.0.1:${MOCK_PORT}/v1` } = process.env;
const mockUrl = new URL(ANIMAL_STORE_URL).origin;

export default defineConfig<MockTestOptions, MockWorkerOptions>({
  testDir: 'tests',
  fullyParallel: true,
  workers: 2,
  use: { baseURL, mockUrl },
  webServer: [
    {
      command: `npx --no -- animal-store-mock --port ${MOCK_PORT} --no-checked-proxy`,
      url: `${mockUrl}/health`,
      reuseExistingServer: true,
    },
    {
      command: `npx vite --host 127.0.0.1 --port ${APP_PORT} --strictPort`,
      url: baseURL,
      // Vite keeps a lock, which it removes if it may end by itself. Next to your own dev server, it needs --bypass-lock.
      gracefulShutdown: { signal: 'SIGTERM', timeout: 2000 },
    },
  ],
});
