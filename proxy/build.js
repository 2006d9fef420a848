import { copyFileSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';

/** Gathers the licenses of the packages that the bundle holds. */
function addLicenses(_options, bundle) {
  const modules = Object.values(bundle).flatMap(({ moduleIds = [] }) => moduleIds);
  const folders = modules.flatMap((file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []);
  const texts = [...new Set(folders)].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const [file] = globSync('{LICEN[CS]E,licen[cs]e}*', { cwd: folder });
    return `${name} ${version} (${license})\n\n${file ? readFileSync(join(folder, file), 'utf8') : ''}`;
  });
  this.emitFile({ type: 'asset', fileName: 'LICENSES', source: texts.join(`\n${'-'.repeat(80)}\n`) });
}

/** A script that knows `this` as its exports, which a bundle has only by name. */
function nameExports(code, id) {
  return id.includes('/uri-template-lite/') ? code.replaceAll('this.URI', 'exports.URI') : undefined;
}

// Prism's packages each want an install script that reports to Scarf, and a Node newer than their code needs. Bundled,
// they ask nobody for either.
await build({
  cwd: import.meta.dirname,
  input: {
    'proxy/index': 'index.ts',
    'proxy/cli': 'cli.ts',
    'proxy/worker': 'worker.ts',
    'common/run-command': '../common/run-command.js',
  },
  platform: 'node',
  // Its other build cannot be bundled.
  resolve: { alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' } },
  plugins: [{ name: 'licenses', transform: nameExports, generateBundle: addLicenses }],
  // What looks for openapi.yaml looks one folder up.
  output: { dir: 'dist', cleanDir: true, chunkFileNames: 'common/[name].js' },
});
copyFileSync('../openapi.yaml', 'dist/openapi.yaml');
copyFileSync('../LICENSE', 'LICENSE');
