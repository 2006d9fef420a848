import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const mit = readFileSync(new URL('../../LICENSE', import.meta.url), 'utf8');

function createMit(holder) {
  return mit.replace(/^Copyright .*$/m, `Copyright (c) ${holder}`);
}

/** Licenses of the packages without a file for it. The holders are those that the packages name. */
const missingTexts = {
  '@stoplight/json-schema-merge-allof': createMit('Martin Hansen'),
  'fnv-plus': createMit('Travis Webb <me@traviswebb.com>'),
  'parse-multipart-data': createMit('Ignacio Mazzara <nachomazzara@gmail.com>'),
  'uri-template-lite': createMit('2014-2019 Lauri Rooden <lauri@rooden.ee>'),
};

/** Finds the packages inside a package of ours, and writes their licenses and a list of them. */
export class BundledPackages {
  #folders = new Set();

  /** Rolldown plugin that adds the packages of each bundle. */
  plugin = {
    name: 'bundled-packages',
    generateBundle: (_options, bundle) => {
      const files = Object.values(bundle).flatMap(({ moduleIds = [] }) => moduleIds);
      for (const file of files) {
        const [folder] = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(file) ?? [];
        if (folder !== undefined) this.add(folder);
      }
    },
  };

  /** Adds a package, such as one whose files are copied. */
  add(folder) {
    this.#folders.add(folder);
  }

  /** Writes LICENSES with the texts, and bom.json with the list in the format CycloneDX, into the `dist` of a package. */
  write(folder) {
    // One package may be in several folders.
    const byId = new Map([...this.#folders].map((one) => [readPackage(one).id, one]));
    const folders = [...byId].sort().map(([, one]) => one);
    const texts = folders.map((one) => {
      const { id, license } = readPackage(one);
      return `${id} (${license})\n\n${readLicense(one)}`;
    });
    writeFileSync(join(folder, 'dist/LICENSES'), texts.join(`\n${'-'.repeat(80)}\n`));
    const bom = {
      $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      version: 1,
      metadata: { component: describeComponent(folder) },
      components: folders.map(describeComponent),
    };
    writeFileSync(join(folder, 'dist/bom.json'), `${JSON.stringify(bom, null, 2)}\n`);
  }
}

function readPackage(folder) {
  const { name, version, ...named } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  // npm's older form is a list.
  const license = named.license ?? named.licenses?.[0].type;
  if (typeof license !== 'string') throw new Error(`${name} names no license.`);
  return { name, version, license, id: `${name} ${version}` };
}

function readLicense(folder) {
  const files = readdirSync(folder).filter((file) =>
    /^(?:mit-)?licen[cs]e|^notice|\.license\.txt$/i.test(file),
  );
  if (files.length > 0) return files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
  const { name } = readPackage(folder);
  if (!Object.hasOwn(missingTexts, name)) {
    throw new Error(`${name} has no license text. Add its license to ${basename(import.meta.filename)}.`);
  }
  return missingTexts[name];
}

function describeComponent(folder) {
  const { name, version, license } = readPackage(folder);
  const [, group, ownName] = /^(?:(@.+)\/)?(.+)$/.exec(name);
  // See https://github.com/package-url/purl-spec: the @ of a scope is encoded.
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return {
    type: 'library',
    'bom-ref': purl,
    ...(group !== undefined && { group }),
    name: ownName,
    version,
    licenses: [nameLicense(license)],
    purl,
  };
}

function nameLicense(license) {
  if (/ (?:AND|OR|WITH) /.test(license)) return { expression: license };
  return { license: { id: license } };
}
