import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import { contractAsData } from '../tools/pack/contract-as-data.ts';

const read = (file) => readFileSync(join(import.meta.dirname, file), 'utf8');

const options = { cwd: import.meta.dirname, input: { page: 'page.ts' }, platform: 'browser' };

/**
 * Returns a file of the console; the script is bundled at each call.
 * @param {'index.html' | 'page.css' | 'page.js'} name
 */
export async function bundleConsole(name) {
  if (name === 'index.html') return read(name);
  if (name === 'page.css')
    return read('../common/theme/tokens.css') + read('../common/theme/base.css') + read(name);
  const { output } = await build({ ...options, plugins: [contractAsData], write: false });
  return output[0].code;
}

/**
 * Writes the files of the console for a package: the page, one script and one style sheet.
 * @param packages gets the packages that are inside
 */
export async function buildConsole(target, packages) {
  await build({
    ...options,
    plugins: [contractAsData, packages.plugin],
    output: { dir: target, minify: true },
  });
  for (const name of ['index.html', 'page.css']) writeFileSync(join(target, name), await bundleConsole(name));
}
