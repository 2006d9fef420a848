import { execSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

// Makes the tarballs of the three packages, and prints how to install them in another project.

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'dist/packages');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const stdio: ('ignore' | 'inherit')[] = ['ignore', 'ignore', 'inherit'];
execSync(`npm pack --silent --workspaces --pack-destination "${folder}"`, { cwd: root, stdio });
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const tarballs = ['mock', 'proxy', 'contract-tests'].map((name) => `./animal-store-${name}-${version}.tgz`);
process.stdout.write(`Run this in your project, and commit the copied files:

cp ${join(folder, '*.tgz')} .
npm install --save-dev ${tarballs.join(' ')}
`);
