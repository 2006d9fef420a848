#!/usr/bin/env node
import { existsSync } from 'node:fs';

// In a checkout Node runs TypeScript; the published package has the built files.
const isCheckout = existsSync(new URL('cli.ts', import.meta.url));
const { runCommand } = await import(`${isCheckout ? '..' : './dist'}/common/cli/run-command.js`);
await runCommand(
  'animal-store-verify',
  import.meta.url,
  isCheckout ? 'cli.ts' : 'dist/contract-tests/cli.js',
);
