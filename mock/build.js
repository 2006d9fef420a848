import { buildBundle } from '../common/build-bundle.js';

await buildBundle(import.meta.dirname, { input: { 'mock/index': 'index.ts', 'mock/cli': 'cli.ts' } });
