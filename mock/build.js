import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { build } from 'rolldown';
import { buildConsole } from '../console/build.js';
import { animalsAsData } from '../fixtures/animals-as-data.ts';
import { buildBundle } from '../tools/pack/build-bundle.js';
import { BundledPackages } from '../tools/pack/bundled-packages.js';
import { buildBrowserMock } from './browser/build-browser-mock.ts';
import { behaviourSchema } from './choices/behaviours.ts';
import { docsFiles, readDocsFile } from './server/docs/docs-files.ts';

const folder = import.meta.dirname;
const { resolve } = createRequire(import.meta.url);

/**
 * Leaves out large tables that Express loads at each start, and that the mock never reads: it names each media type in full, and
 * reads queries and the text of bodies itself.
 */
const withoutTables = {
  name: 'without-tables',
  resolveId: {
    filter: { id: /^(?:mime-db|iconv-lite|qs)$/ },
    handler: (_id, importer) =>
      /\/(?:express|body-parser|raw-body|mime-types)\//.test(importer) ? 'virtual:table' : undefined,
  },
  load: { filter: { id: /^virtual:table$/ }, handler: () => 'module.exports = {};' },
};

const packages = new BundledPackages();
await buildBundle(folder, packages, {
  input: { 'mock/index': 'index.ts', 'mock/cli': 'cli.ts', 'mock/playwright/test': 'playwright/test.ts' },
  // Playwright refuses to load a second copy of itself.
  external: ['@playwright/test'],
  plugins: [animalsAsData, withoutTables],
});
// Without Node's modules, for pages too. Jest cannot require an ES module.
for (const [format, extension] of Object.entries({ esm: 'js', cjs: 'cjs' })) {
  // Node reads a chunk as its extension says, too.
  const [entryFileNames, chunkFileNames] = [`[name].${extension}`, `[name]-[hash].${extension}`];
  const output = { dir: 'dist/mock/client', format, entryFileNames, chunkFileNames, minify: true };
  const input = ['client/connect-mock.ts', 'client/types.ts'];
  await build({ cwd: folder, input, platform: 'neutral', plugins: [packages.plugin], output });
}
for (const [format, extension] of Object.entries({ esm: 'js', cjs: 'cjs' })) {
  const output = { format, file: join(folder, `dist/mock/browser/create-browser-mock.${extension}`) };
  await buildBrowserMock({ plugins: [packages.plugin], output });
}
for (const path of ['client/connect-mock', 'client/types', 'browser/create-browser-mock']) {
  // The types of CommonJS, since TypeScript refuses an ES module there.
  const from = `'./${basename(path)}.js' with { 'resolution-mode': 'import' };\n`;
  const values = Object.keys(await import(`./dist/mock/${path}.js`));
  const lines = values.map((value) => `export declare const ${value}: typeof all.${value};\n`);
  const types = `import type * as all from ${from}export type * from ${from}${lines.join('')}`;
  writeFileSync(join(folder, `dist/mock/${path}.d.cts`), types);
}
await import('./write-control-api.ts');
writeFileSync(join(folder, 'dist/behaviour.schema.json'), JSON.stringify(behaviourSchema, null, 2));
await buildConsole(join(folder, 'dist/console'), packages);

// Packed, the viewer is a fifth of its size; the best quality takes twenty times as long for a tenth less.
const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
mkdirSync(join(folder, 'dist/docs'));
for (const name of docsFiles) {
  writeFileSync(join(folder, 'dist/docs', `${name}.br`), brotliCompressSync(readDocsFile(name), quick));
}
packages.add(dirname(resolve('swagger-ui-dist/package.json')));
packages.write(folder);
