import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');

// npm 10 runs the install scripts of dependencies. npm 11 asks `allowScripts` of package.json first.
test('the install script of Scarf reports no installation of a checkout', async () => {
  const { processDependencyTreeOutput } = createRequire(import.meta.url)('@scarf/scarf/report.js');
  // What the script asks npm for.
  const command = ['ls', '@scarf/scarf', '--json', '--long'];
  const tree = execFileSync('npm', command, {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  const reported = new Promise((resolve, reject) => processDependencyTreeOutput(resolve, reject)(null, tree));
  await expect(reported).rejects.toThrow(
    'Scarf has been disabled via a package.json in the dependency chain.',
  );
});
