#!/usr/bin/env node
import { existsSync } from 'node:fs';

// In a checkout Node runs TypeScript; the published package has the built files.
const file = (path) => new URL(path, import.meta.url);
const isCheckout = existsSync(file('cli.ts'));
const { runCommand } = await import(
  file(isCheckout ? '../common/cli/run-command.js' : 'dist/common/cli/run-command.js')
);
await runCommand({
  name: 'animal-store-proxy',
  file: file(isCheckout ? 'cli.ts' : 'dist/proxy/cli.js'),
  packageFile: file(isCheckout ? '../package.json' : 'package.json'),
});
