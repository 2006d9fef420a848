import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  type Dirent,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, sep } from 'node:path';

export interface ExecutableConfig {
  /** The Node 24 that becomes the executable, with its license where a release of Node has it. */
  readonly node: string;
  /** A folder `node_modules` with the three packages as a user installs them. */
  readonly modules: string;
  /** Path of the executable. */
  readonly output: string;
}

const postject = join(import.meta.dirname, 'node_modules/postject/dist/cli.js');

/** Text in every Node 24, which tells whether the Node has a blob. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** Number of hexadecimal digits of a hash that tells versions apart. It protects from nobody. */
const HASH_LENGTH = 16;

/** Files that nothing reads when a command runs. */
const unused = /\.d\.[cm]?ts$|\.map$/;

const isLicense = /^(?:LICEN[CS]ES?|NOTICE)(?:\.\w+)*$/i;

/** Builds one file that runs the commands `mock`, `proxy` and `verify` on a machine without Node. */
export function buildExecutable({ node, modules, output }: ExecutableConfig): void {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-build-'));
  // Next to the executable, because a file cannot be moved to another disk.
  const draft = `${output}.${process.pid}`;
  try {
    const files = listFiles(modules);
    const assets: Record<string, string> = { 'load.cjs': join(import.meta.dirname, 'load.cjs') };
    for (const file of files) assets[`node_modules/${file}`] = join(modules, file);
    const texts = {
      LICENSES: printLicenses(node, modules, files),
      hash: hashFiles(assets),
      version: JSON.parse(readFileSync(join(modules, 'animal-store-mock/package.json'), 'utf8')).version,
    };
    for (const [name, text] of Object.entries(texts)) {
      assets[name] = join(folder, name);
      writeFileSync(assets[name], text);
    }
    mkdirSync(dirname(output), { recursive: true });
    const main = join(import.meta.dirname, 'start.cjs');
    const config = join(folder, 'config.json');
    const blob = join(folder, 'blob');
    const options = { main, output: blob, assets, disableExperimentalSEAWarning: true };
    writeFileSync(config, JSON.stringify(options));
    execFileSync(node, ['--experimental-sea-config', config], { stdio: 'pipe' });
    copyFileSync(node, draft);
    inject(blob, draft);
    // An executable that runs cannot be written, but replaced. One that is not complete would be a plain Node.
    renameSync(draft, output);
  } finally {
    rmSync(draft, { force: true });
    rmSync(folder, { recursive: true });
  }
}

/** Puts a blob into a copy of Node, which looks for one when it starts. */
function inject(blob: string, output: string): void {
  const isMac = process.platform === 'darwin';
  if (isMac) execFileSync('codesign', ['--remove-signature', output]);
  const segment = isMac ? ['--macho-segment-name', 'NODE_SEA'] : [];
  const args = [output, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', FUSE, ...segment];
  // It warns of each note of an ELF file, which is not shown.
  execFileSync(process.execPath, [postject, ...args], { stdio: 'pipe' });
  // Macs with Apple's processors start only what is signed.
  if (isMac) execFileSync('codesign', ['--sign', '-', output]);
}

/** Returns the paths of all files of the packages that run, relative to the folder and with slashes. */
function listFiles(modules: string): string[] {
  const isPackage = (entry: Dirent) => entry.isDirectory() && !entry.name.startsWith('.');
  const packages = readdirSync(modules, { withFileTypes: true }).filter(isPackage);
  const entries = packages.flatMap(({ name }) =>
    readdirSync(join(modules, name), { recursive: true, withFileTypes: true }),
  );
  const files = entries.filter((entry) => entry.isFile() && !unused.test(entry.name));
  const paths = files.map(({ parentPath, name }) => relative(modules, join(parentPath, name)));
  return paths.map((path) => path.replaceAll(sep, '/')).toSorted();
}

/** Returns a name for the content of all files. */
function hashFiles(assets: Readonly<Record<string, string>>): string {
  const hash = createHash('sha256');
  for (const [name, file] of Object.entries(assets)) {
    const content = readFileSync(file);
    hash.update(`${name} ${content.length}\n`).update(content);
  }
  return hash.digest('hex').slice(0, HASH_LENGTH);
}

/** Returns all texts of licenses, each once, with the files that have it. @throws Error without the license of Node. */
function printLicenses(node: string, modules: string, files: readonly string[]): string {
  const places = [join(dirname(node), '../LICENSE'), join(dirname(node), 'LICENSE')];
  const nodeLicense = places.find((place) => existsSync(place));
  if (nodeLicense === undefined)
    throw new Error(`Node's LICENSE is missing: there is no ${places.join(' and no ')}`);
  const byText = new Map([[readFileSync(nodeLicense, 'utf8'), ['Node.js']]]);
  for (const file of files.filter((one) => isLicense.test(basename(one)))) {
    const text = readFileSync(join(modules, file), 'utf8');
    byText.set(text, [...(byText.get(text) ?? []), file]);
  }
  const sections = [...byText].map(([text, names]) => `${names.join('\n')}\n\n${text.trimEnd()}\n`);
  return sections.join(`\n${'='.repeat(80)}\n\n`);
}
