import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { brotliDecompressSync } from 'node:zlib';

/** The files of the API reference by name, and the module that each is in a checkout; the package has all of them packed. */
const sources = {
  'index.html': '../docs/index.html',
  'page.css': '../docs/page.css',
  'page.js': '../docs/page.js',
  'tokens.css': '../../common/look/tokens.css',
  'swagger-ui.css': 'swagger-ui-dist/swagger-ui.css',
  'swagger-ui-bundle.js': 'swagger-ui-dist/swagger-ui-bundle.js',
} as const;

/** A file of the API reference. */
export type DocsFile = keyof typeof sources;

/** All of them. */
export const docsFiles = Object.keys(sources) as readonly DocsFile[];

const isCheckout = import.meta.filename.endsWith('.ts');

const { resolve } = createRequire(import.meta.url);

/** Reads a file of the API reference. */
export function readDocsFile(name: DocsFile): string {
  if (isCheckout) return readFileSync(resolve(sources[name]), 'utf8');
  return brotliDecompressSync(readFileSync(new URL(`../docs/${name}.br`, import.meta.url))).toString();
}
