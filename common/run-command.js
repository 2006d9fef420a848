// Plain JavaScript, so that a Node too old for TypeScript can say so instead of failing on the first line.
import { existsSync, readFileSync } from 'node:fs';
import module from 'node:module';

/**
 * Runs a command of the package, if this Node can.
 *
 * @param {string} name the command.
 * @param {URL} source its TypeScript, which is there in a checkout.
 * @param {URL} built its JavaScript, which the published package holds: Node runs no TypeScript under node_modules.
 * @param {number} exitCode of a Node that is too old.
 */
export async function runCommand(name, source, built, exitCode = 1) {
  const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const wanted = engines.node.replace('>=', '').split('.').map(Number);
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < wanted[0] || (major === wanted[0] && minor < wanted[1])) {
    process.stderr.write(
      `${name} needs Node ${wanted.join('.')} or later, and this is ${process.version}; ` +
        'in a checkout, `npm ci` and the npm scripts bring and use the right one.\n',
    );
    process.exitCode = exitCode;
    return;
  }
  // What Node has compiled once it finds again at the next start.
  module.enableCompileCache();
  await import(existsSync(source) ? source : built);
}
