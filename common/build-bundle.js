import { copyFileSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';

/** Rolldown plugin that writes the licenses of all bundled packages. */
export const licenses = { name: 'licenses', generateBundle: addLicenses };

/** Copyright holders, as their packages name them, of packages under MIT that publish no license text. */
const holders = {
  '@stoplight/json-schema-merge-allof': 'Martin Hansen',
  'fnv-plus': 'Travis Webb <me@traviswebb.com>',
  'parse-multipart-data': 'Ignacio Mazzara <nachomazzara@gmail.com>',
  'proxy-agent-negotiate': 'Nathan Rajlich <nathan@tootallnate.net>',
  'uri-template-lite': '2014-2019 Lauri Rooden <lauri@rooden.ee>',
};

function addLicenses(_options, bundle) {
  const modules = Object.values(bundle).flatMap(({ moduleIds = [] }) => moduleIds);
  const folders = modules.flatMap((file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []);
  const texts = [...new Set(folders)].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return `${name} ${version} (${license})\n\n${readLicense(folder, name, license)}`;
  });
  this.emitFile({ type: 'asset', fileName: 'LICENSES', source: texts.join(`\n${'-'.repeat(80)}\n`) });
}

function readLicense(folder, name, license) {
  const [file] = globSync('{LICEN[CS]E,licen[cs]e}*', { cwd: folder });
  if (file !== undefined) return readFileSync(join(folder, file), 'utf8');
  if (license !== 'MIT' || !Object.hasOwn(holders, name)) {
    throw new Error(`${name} has no license text. If it is MIT, add its holder to build-bundle.js.`);
  }
  const own = readFileSync(new URL('../LICENSE', import.meta.url), 'utf8');
  return own.replace(/^Copyright .*$/m, `Copyright (c) ${holders[name]}`);
}

/** Bundles a package with all its dependencies into `dist`: it starts faster, and users install one package. */
export async function buildBundle(folder, { input, plugins = [], ...options }) {
  await build({
    cwd: folder,
    input: { ...input, 'common/cli/run-command': '../common/cli/run-command.js' },
    platform: 'node',
    plugins: [...plugins, licenses],
    // Bundled code looks for openapi.yaml one folder up.
    output: { dir: 'dist', cleanDir: true, chunkFileNames: 'common/[name].js' },
    ...options,
  });
  copyFileSync(join(folder, '../openapi.yaml'), join(folder, 'dist/openapi.yaml'));
  copyFileSync(join(folder, '../LICENSE'), join(folder, 'LICENSE'));
}
