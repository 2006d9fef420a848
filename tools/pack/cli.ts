import { execSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

// Makes the tarballs of the three packages, and prints how to install them in another project.

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'dist/packages');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
try {
  execSync(`npm pack --workspaces --pack-destination "${folder}"`, { cwd: root, stdio: 'pipe' });
} catch (error) {
  // The compiler prints its errors on stdout, and otherwise npm lists each file.
  const { stdout, stderr } = error as { stdout: Buffer; stderr: Buffer };
  process.stderr.write(`${stdout}${stderr}`);
  process.exit(1);
}
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const tarballs = ['mock', 'proxy', 'contract-tests'].map((name) => `./animal-store-${name}-${version}.tgz`);
process.stdout.write(`Run this in your project, and commit the copied files:

cp ${join(folder, '*.tgz')} .
npm install --save-dev ${tarballs.join(' ')}
`);
