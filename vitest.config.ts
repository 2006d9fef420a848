import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['{common,fixtures,mock,bench}/**/*.test.ts', '*.test.ts'] },
});
