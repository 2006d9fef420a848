import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { readTarget } from '../read-target.ts';

// Runs Dredd and then the contract suite against ANIMAL_STORE_URL: `npm run test:contract`. It fails if either fails.

const root = join(import.meta.dirname, '../..');

/** Runs a program of node_modules with its own output. @returns its exit code */
function run(program: string, ...args: readonly string[]): number {
  // Dredd's packages are old, and Node would warn of what they call.
  const command = ['--no-warnings', join(root, 'node_modules', program), ...args];
  return spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit' }).status ?? 1;
}

try {
  readTarget(process.env);
  const dredd = run('dredd/bin/dredd', '--config', 'contract-tests/dredd/dredd.yml');
  const suite = run('vitest/vitest.mjs', 'run', '--project', 'deployment');
  process.stdout.write(
    `Dredd ${dredd === 0 ? 'passed' : 'failed'}, the contract suite ${suite === 0 ? 'passed' : 'failed'}\n`,
  );
  process.exitCode = dredd === 0 && suite === 0 ? 0 : 1;
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
