import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import { contractAsData } from './contract-as-data.ts';
import { copyDocs } from './copy-docs.js';

/** Leaves out a way of authentication that our proxies do not offer, and that needs a package with an install script. */
const withoutNegotiate = {
  name: 'without-negotiate',
  resolveId: { filter: { id: /^proxy-agent-negotiate$/ }, handler: () => 'without:negotiate' },
  load: {
    filter: { id: /^without:negotiate$/ },
    handler: () => 'export const createNegotiateAuth = undefined;',
  },
};

/**
 * Gets Node's modules in a way that does not read what they export: an import reads all of it, and so loads the streams of node:fs, and
 * with node:http the WebSocket of fetch, which takes more time and memory than the rest of a small server.
 */
const withoutUnusedExports = {
  name: 'without-unused-exports',
  resolveId: {
    filter: { id: /^(?:node:)?(?:fs|http|process|util)$/ },
    handler: (id) => `virtual:${id.replace('node:', '')}`,
  },
  load: {
    filter: { id: /^virtual:/ },
    handler: (id) => `module.exports = process.getBuiltinModule('${id.replace('virtual', 'node')}');`,
  },
};

/**
 * Bundles a package with all its dependencies into `dist`: it starts faster, and users install one package.
 *
 * @param packages gets the packages that are inside
 */
export async function buildBundle(folder, packages, { input, plugins = [], output, ...options }) {
  await build({
    cwd: folder,
    input: { ...input, 'common/cli/run-command': '../common/cli/run-command.js' },
    platform: 'node',
    plugins: [...plugins, contractAsData, withoutNegotiate, withoutUnusedExports, packages.plugin],
    // Bundled code looks for openapi.yaml one folder up.
    output: { dir: 'dist', cleanDir: true, chunkFileNames: 'common/[name].js', ...output },
    ...options,
  });
  copyFileSync(join(folder, '../openapi.yaml'), join(folder, 'dist/openapi.yaml'));
  copyFileSync(join(folder, '../LICENSE'), join(folder, 'LICENSE'));
  copyDocs(folder);
}
