// The first code of the executable, in CommonJS because Node 24 accepts nothing else there. The files of the executable are in
// memory, but threads and forked processes start from files, and modules find what they read by their own path. So the files are
// written to a folder of the user before anything else starts.
const { randomUUID } = require('node:crypto');
const {
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} = require('node:fs');
const { createRequire, enableCompileCache } = require('node:module');
const { tmpdir } = require('node:os');
const { dirname, join, sep } = require('node:path');
const { getAsset, getAssetKeys, getRawAsset } = require('node:sea');
const { pathToFileURL } = require('node:url');

/** The packages whose `bin.js` starts a command. */
const packages = {
  mock: 'animal-store-mock',
  proxy: 'animal-store-proxy',
  verify: 'animal-store-contract-tests',
};

const help = `Usage: animal-store <command> [options]

Build and test against the Animal Store Service without the service, and without Node.

Commands:
  mock      starts a mock of the service
  proxy     starts a proxy that checks each request and response, or checks a HAR file
  verify    checks whether a deployment conforms to the specification
  licenses  prints the licenses of everything inside

Options:
  -v, --version  print the version
  -h, --help     print this help

animal-store <command> --help lists the options of a command.
`;

/** Only the user may read and write. */
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;

/** Bits of a mode that let others in. */
const OTHERS = 0o077;

const user = process.getuid?.() ?? 'user';
const folderName = `animal-store-${user}-${getAsset('hash', 'utf8')}`;

/**
 * Writes the files to a folder with the name of their content, so that each start finds the files of the last one, and nothing has
 * to be removed at the end. A file is written if it is missing or differs, since systems remove old files here one by one.
 * @returns the path of the folder
 */
function unpack() {
  // Modules know their path without symbolic links.
  const folder = join(realpathSync(tmpdir()), folderName);
  try {
    mkdirSync(folder, { mode: PRIVATE_FOLDER });
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  expectPrivate(folder);
  for (const name of getAssetKeys()) {
    const file = join(folder, name);
    const content = Buffer.from(getRawAsset(name));
    if (!hasContent(file, content)) replaceFile(file, content);
  }
  return folder;
}

/** Refuses a folder of someone else, who could change the code that this user runs. */
function expectPrivate(folder) {
  const stats = lstatSync(folder);
  // Windows has no such numbers, and the folder for temporary files there is the user's.
  const isPrivate =
    process.getuid === undefined || (stats.uid === process.getuid() && (stats.mode & OTHERS) === 0);
  if (!stats.isDirectory() || !isPrivate) throw new Error(`${folder} is not a folder of this user alone`);
}

function hasContent(file, content) {
  try {
    return readFileSync(file).equals(content);
  } catch {
    return false;
  }
}

/** Replaces a file at once, because another process may be reading it. */
function replaceFile(file, content) {
  mkdirSync(dirname(file), { recursive: true, mode: PRIVATE_FOLDER });
  const draft = `${file}.${randomUUID()}`;
  try {
    writeFileSync(draft, content, { flag: 'wx', mode: PRIVATE_FILE });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Unpacks the files, and starts the one of a command. */
function startCommand(name, args) {
  let folder;
  try {
    folder = unpack();
  } catch (error) {
    fail(
      `the files of the command could not be written: ${error.message}. Set TMPDIR to a folder that you own.`,
    );
    return;
  }
  startFile(folder, join(folder, 'node_modules', packages[name], 'bin.js'), args);
}

/** Starts a file that a command of the executable has unpacked, perhaps to a place that the environment of the fork does not name. */
function startFork(file, args) {
  const folder = file.slice(0, file.indexOf(folderName) + folderName.length);
  try {
    expectPrivate(folder);
  } catch (error) {
    fail(`the files of the command cannot be used: ${error.message}.`);
    return;
  }
  startFile(folder, file, args);
}

/** Starts a file as Node would. */
function startFile(folder, file, args) {
  enableCompileCache(join(folder, 'cache'));
  process.argv = [process.execPath, file, ...args];
  // The require() and import() of the executable itself find only Node's modules.
  const load = createRequire(join(folder, 'load.cjs'))('./load.cjs');
  load(pathToFileURL(file).href);
}

function print(text) {
  process.stdout.on('error', () => {}).write(text);
}

function fail(message) {
  process.stderr.write(`animal-store: ${message}\n`);
  process.exitCode = 2;
}

function describeWrong(command) {
  const problem =
    command === undefined ? 'the command is missing' : `there is no command ${JSON.stringify(command)}`;
  return `${problem}. The commands are ${Object.keys(packages).join(', ')} and licenses. See animal-store --help.`;
}

const words = process.argv.slice(2);
const [command, ...args] = words;
// A command forks this executable as if it were Node, with options of Node, a file and its arguments.
const forked = process.connected ? words.findIndex((word) => word.includes(join(folderName, sep))) : -1;

if (forked >= 0) {
  startFork(words[forked], words.slice(forked + 1));
} else if (Object.hasOwn(packages, command ?? '')) {
  startCommand(command, args);
} else if (command === 'licenses') {
  print(getAsset('LICENSES', 'utf8'));
} else if (command === '--version' || command === '-v') {
  print(`${getAsset('version', 'utf8')}\n`);
} else if (command === '--help' || command === '-h') {
  print(help);
} else {
  fail(describeWrong(command));
}
