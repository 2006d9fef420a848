import { buildBundle } from '../tools/pack/build-bundle.js';
import { BundledPackages } from '../tools/pack/bundled-packages.js';

const packages = new BundledPackages();
await buildBundle(import.meta.dirname, packages, {
  input: {
    'contract-tests/index': 'index.ts',
    'contract-tests/cli': 'cli.ts',
  },
  // Files of the HTML report.
  experimental: { resolveNewUrlToAsset: true },
  output: { chunkFileNames: 'contract-tests/[name].js', assetFileNames: '[name][extname]' },
});
packages.write(import.meta.dirname);
