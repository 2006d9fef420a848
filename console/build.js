import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import { licenses } from '../common/build-bundle.js';

const read = (file) => readFileSync(join(import.meta.dirname, file), 'utf8');

/** Builds what the package of the mock serves: a page, a script with all that it needs, and a style. */
export async function buildConsole(target) {
  await build({
    cwd: import.meta.dirname,
    input: { page: 'page.ts' },
    platform: 'browser',
    plugins: [licenses],
    output: { dir: target, minify: true },
  });
  const style = read('page.css').replace(/^@import .*\n/, () => read('../common/look/tokens.css'));
  writeFileSync(join(target, 'page.css'), style);
  writeFileSync(join(target, 'index.html'), read('index.html'));
}
