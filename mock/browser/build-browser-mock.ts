import { join } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'rolldown';
import { contractAsData } from '../../common/contract-as-data.ts';
import { createProfile } from '../../fixtures/profiles.ts';

/** Replaces the generator of animals by its animals. */
const animalsAsData: Plugin = {
  name: 'animals',
  async load(id) {
    if (!id.endsWith('/browser/default-animals.ts')) return undefined;
    const animals = await createProfile('default', { seed: 1 });
    const rows = animals.map(({ name, categoryId, status }) => [name, Number(categoryId), status]);
    // The ids are 1, 2, 3 ….
    return `export const defaultAnimals = ${JSON.stringify(rows)}.map(([name, categoryId, status], index) =>
      ({ id: BigInt(index + 1), name, categoryId: BigInt(categoryId), ...(status && { status }) }));`;
  },
};

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
