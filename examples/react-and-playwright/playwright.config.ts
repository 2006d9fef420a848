// npm install && npm run generate && npx playwright install chromium && npm test
import { defineConfig } from '@playwright/test';

const { APP_PORT = '5173', MOCK_PORT = '4010' } = process.env;
const baseURL = `http://127.0.0.1:${APP_PORT}`;

export default defineConfig({
  testDir: 'tests',
  fullyParallel: true,
  workers: 2,
  use: { baseURL },
  webServer: [
    {
      command: `npx --no -- animal-store-mock --port ${MOCK_PORT} --no-checked-proxy`,
      url: `http://127.0.0.1:${MOCK_PORT}/health`,
      reuseExistingServer: !process.env.CI,
    },
    {
      command: `npx vite --host 127.0.0.1 --port ${APP_PORT} --strictPort`,
      url: baseURL,
      reuseExistingServer: !process.env.CI,
    },
  ],
});
