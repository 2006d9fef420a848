import { join } from 'node:path';
import { type BuildOptions, build } from 'rolldown';
import { contractAsData } from '../../common/contract-as-data.ts';
import { animalsAsData } from '../../fixtures/animals-as-data.ts';

/** Bundles the mock for pages: one file without modules of Node. */
export function buildBrowserMock({ output, plugins = [], ...options }: BuildOptions) {
  const input = join(import.meta.dirname, 'create-browser-mock.ts');
  const small = { minify: true, codeSplitting: false, ...output };
  return build({
    input,
    platform: 'browser',
    plugins: [animalsAsData, contractAsData, plugins],
    ...options,
    output: small,
  });
}
