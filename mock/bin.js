#!/usr/bin/env node
// Plain JavaScript, so that a Node too old for TypeScript can say so instead of failing on the first line.
import { existsSync, readFileSync } from 'node:fs';
import module from 'node:module';

const read = (name) => new URL(name, import.meta.url);
const { engines } = JSON.parse(readFileSync(read('../package.json'), 'utf8'));
const wanted = engines.node.replace('>=', '').split('.').map(Number);
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < wanted[0] || (major === wanted[0] && minor < wanted[1])) {
  process.stderr.write(
    `animal-store-mock needs Node ${wanted.join('.')} or later, and this is ${process.version}; ` +
      'in a checkout, `npm ci` and `npm start` bring and use the right one.\n',
  );
  process.exitCode = 1;
} else {
  // What Node has compiled once it finds again at the next start.
  module.enableCompileCache();
  // The published package holds the built files, since Node runs no TypeScript under node_modules.
  const source = read('cli.ts');
  await import(existsSync(source) ? source : read('../dist/mock/cli.js'));
}
