import { buildBundle } from '../common/build-bundle.js';
import { BundledPackages } from '../common/bundled-packages.js';
import { unusedModules } from './dredd/unused-modules.ts';

const UNUSED = '\0unused';

const adaptDredd = {
  name: 'dredd',
  async resolveId(source, importer, options) {
    const found = await this.resolve(source, importer, { ...options, skipSelf: true });
    return found !== null && unusedModules.test(found.id) ? UNUSED : found;
  },
  load: (id) => (id === UNUSED ? '' : undefined),
  transform(code, id) {
    // It loads the hooks for the module that has loaded it, and a bundle has no modules.
    if (id.endsWith('/proxyquire/index.js')) {
      return code
        .replace(/^delete .*$/m, '')
        .replace('module.parent', "new (require('node:module'))('hooks')");
    }
    // This package uses `this` as its exports, which a bundle has only by name.
    return id.includes('/yaml-js/') ? code.replace(/^\}\)\.call\(this\);$/m, '}).call(exports);') : undefined;
  },
};

const packages = new BundledPackages();
await buildBundle(import.meta.dirname, packages, {
  input: {
    'contract-tests/index': 'index.ts',
    'contract-tests/cli': 'cli.ts',
    'contract-tests/conformance.contract': 'conformance.contract.ts',
    'contract-tests/add-hooks': 'dredd/add-hooks.ts',
    'contract-tests/dredd-process': 'dredd/dredd-process.ts',
  },
  plugins: [adaptDredd],
  external: ['vitest'],
  // Files of the HTML report.
  experimental: { resolveNewUrlToAsset: true },
  output: { chunkFileNames: 'contract-tests/[name].js', assetFileNames: '[name][extname]' },
  // `eval` is in a function of a dependency that nothing calls.
  checks: { eval: false },
});
packages.write(import.meta.dirname);
