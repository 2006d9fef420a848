// With the tarball of docs/guides/install.md: npm install ./animal-store-mock-0.1.0.tgz && npx playwright install chromium && npm test
import { defineConfig } from '@playwright/test';
import type { MockTestOptions, MockWorkerOptions } from 'animal-store-mock/playwright';

const { APP_PORT = '3000', MOCK_PORT = '4010' } = process.env;
const baseURL = `http://127.0.0.1:${APP_PORT}`;
const mockUrl = `http://127.0.0.1:${MOCK_PORT}`;

export default defineConfig<MockTestOptions, MockWorkerOptions>({
  testDir: 'tests',
  fullyParallel: true,
  workers: 2,
  use: { baseURL, mockUrl },
  webServer: [
    {
      command: `npx --no -- animal-store-mock --port ${MOCK_PORT} --no-checked-proxy`,
      url: `${mockUrl}/health`,
      // The mock that a gate has started: npx --no -- animal-store-mock --port 4010 --fail-on error -- npm test
      reuseExistingServer: true,
    },
    {
      command: 'npm start',
      url: `${baseURL}/health`,
      env: { APP_PORT, ANIMAL_STORE_URL: `${mockUrl}/v1`, ANIMAL_STORE_API_KEY: 'test-key' },
      reuseExistingServer: !process.env.CI,
    },
  ],
});
