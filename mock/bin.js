#!/usr/bin/env node
import { existsSync } from 'node:fs';

// In a checkout Node runs the TypeScript; the published package holds what was built of it.
const file = (path) => new URL(path, import.meta.url);
const isCheckout = existsSync(file('cli.ts'));
const { runCommand } = await import(
  file(isCheckout ? '../common/cli/run-command.js' : 'dist/common/cli/run-command.js')
);
await runCommand({
  name: 'animal-store-mock',
  file: file(isCheckout ? 'cli.ts' : 'dist/mock/cli.js'),
  packageFile: file(isCheckout ? '../package.json' : 'package.json'),
});
