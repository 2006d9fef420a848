import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { installFolder } from '../install/install-folder.ts';

const root = join(import.meta.dirname, '../..');

/** Each package, and how are-the-types-wrong checks it. Entry points that are no modules for an importer are left out. */
const packages = {
  mock: ['--profile', 'node16', '--exclude-entrypoints', 'openapi.yaml', 'control-api.yaml'],
  proxy: ['--exclude-entrypoints', 'worker.js'],
  'contract-tests': [],
} as const;

/** Every supported Node loads ES modules with `require()` too. */
const usual = ['--ignore-rules', 'cjs-resolves-to-esm'];

installFolder('tools/published');
for (const [name, options] of Object.entries(packages)) {
  run('publint/src/cli.js', ['--strict', name]);
  run('@arethetypeswrong/cli/dist/index.js', ['--pack', name, ...usual, ...options]);
}

/** Runs a program of the folder. @throws if it finds something */
function run(program: string, args: readonly string[]): void {
  const file = join(import.meta.dirname, 'node_modules', program);
  execFileSync(process.execPath, [file, ...args], { cwd: root, stdio: 'inherit' });
}
