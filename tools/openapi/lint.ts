import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { installFolder } from '../install/install-folder.ts';

// Lints openapi.yaml and the document of the control API.

const folder = import.meta.dirname;

installFolder('tools/openapi');
// It writes the document as the package has it.
await import('../../mock/write-control-api.ts');
const redocly = join(folder, 'node_modules/@redocly/cli/bin/cli.js');
const args = ['lint', '--config', join(folder, 'redocly.yaml'), '--format=stylish'];
execFileSync(process.execPath, [redocly, ...args], { cwd: folder, stdio: 'inherit' });
