import { join } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'rolldown';
import { animalsAsData } from '../../fixtures/animals-as-data.ts';
import { contractAsData } from '../../tools/pack/contract-as-data.ts';

/**
 * Leaves out the schemas of the control API: they are for its document and for the client of another process, and a page calls the
 * methods themselves, which check their arguments.
 */
const withoutControlSchemas: Plugin = {
  name: 'without-control-schemas',
  load: {
    filter: { id: /\/session\/control-schemas\.ts$/ },
    async handler() {
      const names = Object.keys(await import('../session/control-schemas.ts'));
      return names.map((name) => `export const ${name} = undefined;`).join('\n');
    },
  },
};

/** Bundles the mock for pages: one file without modules of Node. */
export function buildBrowserMock({ output, plugins = [], ...options }: BuildOptions) {
  const input = join(import.meta.dirname, 'create-browser-mock.ts');
  const small = { minify: true, codeSplitting: false, ...output };
  return build({
    input,
    platform: 'browser',
    plugins: [animalsAsData, contractAsData, withoutControlSchemas, plugins],
    ...options,
    output: small,
  });
}
