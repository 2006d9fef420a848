import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { readTarget } from '../read-target.ts';

// Runs Dredd and then the contract suite against ANIMAL_STORE_URL: `npm run test:contract`. It fails if either fails.

const root = join(import.meta.dirname, '../..');

const CONFIG = 'contract-tests/dredd/dredd.yml';

/** Runs Dredd. @returns whether all its transactions passed */
function runDredd(): boolean {
  // Its packages are old, and Node would warn of what they call.
  const command = ['--no-warnings', 'node_modules/dredd/bin/dredd', '--config', CONFIG];
  const { status, stdout } = spawnSync(process.execPath, command, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: Number.POSITIVE_INFINITY,
    stdio: ['inherit', 'pipe', 'inherit'],
  });
  process.stdout.write(stdout);
  // Dredd goes on without hooks that do not load. They print the deployment first.
  if (!stdout.startsWith('hook: '))
    process.stderr.write(
      `Dredd did not load its hooks. Run: npx dredd --config ${CONFIG} --loglevel warning\n`,
    );
  return status === 0;
}

/** Runs the contract suite as tests of Vitest. @returns whether all tests passed */
function runSuite(): boolean {
  const command = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'deployment'];
  return spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit' }).status === 0;
}

try {
  readTarget(process.env);
  const results = { Dredd: runDredd(), 'the contract suite': runSuite() };
  const texts = Object.entries(results).map(([name, passed]) => `${name} ${passed ? 'passed' : 'failed'}`);
  process.stdout.write(`${texts.join(', ')}\n`);
  process.exitCode = Object.values(results).every(Boolean) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
