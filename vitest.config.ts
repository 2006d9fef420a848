import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['{common,fixtures,mock,contract-tests,bench}/**/*.test.ts'] },
});
