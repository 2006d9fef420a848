import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { brotliDecompressSync } from 'node:zlib';

/** Files of the API reference with their modules in a checkout. The package has them compressed. */
const sources: Readonly<Record<string, string>> = {
  'index.html': './index.html',
  'page.js': './page.js',
  'swagger-ui.css': 'swagger-ui-dist/swagger-ui.css',
  'swagger-ui-bundle.js': 'swagger-ui-dist/swagger-ui-bundle.js',
};

export const docsFiles = Object.keys(sources);

const isCheckout = import.meta.filename.endsWith('.ts');

const { resolve } = createRequire(import.meta.url);

/** Reads a file of the API reference. */
export function readDocsFile(name: string): string {
  if (isCheckout) return readFileSync(resolve(sources[name] ?? ''), 'utf8');
  return brotliDecompressSync(readFileSync(new URL(`../docs/${name}.br`, import.meta.url))).toString();
}
