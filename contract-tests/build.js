import { buildBundle } from '../common/build-bundle.js';
import { BundledPackages } from '../common/bundled-packages.js';
import { unusedModules } from './dredd/unused-modules.ts';

const UNUSED = 'virtual:unused';

/** Leaves out the modules of Dredd that are not needed. */
const withoutUnused = {
  name: 'without-unused',
  resolveId: {
    // Few modules are looked up twice.
    filter: { id: /parser|Reporter|signature|validator|psl/ },
    async handler(source, importer, options) {
      const found = await this.resolve(source, importer, { ...options, skipSelf: true });
      return found !== null && unusedModules.test(found.id) ? UNUSED : found;
    },
  },
  load: { filter: { id: /^virtual:unused$/ }, handler: () => '' },
};

/** Gives modules what only a file of their own has. */
const withoutFiles = {
  name: 'without-files',
  transform: {
    filter: { id: ['**/proxyquire/index.js', '**/yaml-js/lib/*.js'] },
    handler: (code, id) =>
      id.endsWith('/proxyquire/index.js')
        ? // It loads the hooks as the module that has loaded it would.
          code.replace(/^delete .*$/m, '').replace('module.parent', "new (require('node:module'))('hooks')")
        : code.replace(/^\}\)\.call\(this\);$/m, '}).call(exports);'),
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
  plugins: [withoutUnused, withoutFiles],
  external: ['vitest'],
  // Files of the HTML report.
  experimental: { resolveNewUrlToAsset: true },
  output: { chunkFileNames: 'contract-tests/[name].js', assetFileNames: '[name][extname]' },
  // `eval` is in a function of a dependency that nothing calls.
  checks: { eval: false },
});
packages.write(import.meta.dirname);
