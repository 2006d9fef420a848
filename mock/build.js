import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildBundle } from '../common/build-bundle.js';

await buildBundle(import.meta.dirname, { input: { 'mock/index': 'index.ts', 'mock/cli': 'cli.ts' } });
copyFileSync(
  join(import.meta.dirname, 'control-api.yaml'),
  join(import.meta.dirname, 'dist/control-api.yaml'),
);
