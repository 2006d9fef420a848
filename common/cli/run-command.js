// Plain JavaScript, so that a Node too old for the rest can say so instead of failing on the first line.
import { existsSync, readFileSync } from 'node:fs';
import module from 'node:module';

/**
 * Runs a command, if this Node is new enough: for a package as its `engines` have it, and in a checkout, where npm on an older Node
 * is enough, as the package `node` that npm installs. @param file relative to `base`
 */
export async function runCommand(name, base, file) {
  const packageFile = file.endsWith('.ts') ? '../package.json' : 'package.json';
  const { engines, workspaces, devDependencies } = JSON.parse(
    readFileSync(new URL(packageFile, base), 'utf8'),
  );
  const [needed] = workspaces ? /\d+/.exec(devDependencies.node) : /\d.*/.exec(engines.node);
  if (needed.localeCompare(process.versions.node, 'en', { numeric: true }) > 0) {
    // The package `node` brings a Node for the npm scripts. Without install scripts it is empty.
    const isBrought = existsSync(new URL('../node_modules/node/bin/node', base));
    const bring = isBrought ? '' : ' after: npm rebuild node --ignore-scripts=false';
    const hint = workspaces
      ? `Use an npm script, such as npm start${bring && `,${bring}`}.`
      : 'Add one: npm install --save-dev node@24';
    process.stderr.write(`${name} needs Node ${needed} or later, and this is ${process.version}. ${hint}\n`);
    process.exitCode = 2;
    return;
  }
  // Node keeps the compiled code for the next start.
  module.enableCompileCache();
  await import(new URL(file, base));
}
