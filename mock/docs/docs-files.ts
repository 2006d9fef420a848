import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Files of the API reference with their modules in a checkout. The package has them in one folder. */
const sources: Readonly<Record<string, string>> = {
  'index.html': './index.html',
  'page.css': './page.css',
  'page.js': './page.js',
  'tokens.css': '../../common/theme/tokens.css',
  'base.css': '../../common/theme/base.css',
  'theme.js': '../../common/theme/theme.js',
  'swagger-ui.css': 'swagger-ui-dist/swagger-ui.css',
  'swagger-ui-bundle.js': 'swagger-ui-dist/swagger-ui-bundle.js',
};

export const docsFiles = Object.keys(sources);

const isCheckout = import.meta.filename.endsWith('.ts');

const { resolve } = createRequire(import.meta.url);

/** Returns the path of a file of the API reference. */
export function findDocsFile(name: string): string {
  if (isCheckout) return resolve(sources[name] ?? '');
  return fileURLToPath(new URL(`../docs/${name}`, import.meta.url));
}
