import { join } from 'node:path';
import { buildConsole } from '../console/build.js';
import { buildBundle } from '../tools/pack/build-bundle.js';
import { BundledPackages } from '../tools/pack/bundled-packages.js';

/** This script uses `this` as its exports, which a bundle has only by name. */
function nameExports(code, id) {
  return id.includes('/uri-template-lite/') ? code.replaceAll('this.URI', 'exports.URI') : undefined;
}

const packages = new BundledPackages();
// Prism's packages require an install script that reports to Scarf, and a newer Node than their code does.
await buildBundle(import.meta.dirname, packages, {
  input: { 'proxy/index': 'index.ts', 'proxy/cli': 'cli.ts', 'proxy/run-in-thread': 'run-in-thread.ts' },
  // The other build cannot be bundled.
  resolve: { alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' } },
  plugins: [{ name: 'exports', transform: nameExports }],
});
await buildConsole(join(import.meta.dirname, 'dist/console'), packages);
packages.write(import.meta.dirname);
