import { join } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'rolldown';
import { printExactJson } from '../../common/json/exact-json.ts';
import { createProfile } from '../../fixtures/profiles.ts';

/** Replaces the generator of animals by its animals. */
const animalsAsData: Plugin = {
  name: 'animals',
  async load(id) {
    if (!id.endsWith('/browser/default-animals.ts')) return undefined;
    const animals = await createProfile('default', { seed: 1 });
    const json = printExactJson(animals as never).replaceAll(/("(?:id|categoryId)":\d+)/g, '$1n');
    return `export const defaultAnimals = ${json};`;
  },
};

/** Bundles the mock for pages: one file without modules of Node. */
export function buildBrowserMock({ output, ...options }: BuildOptions) {
  return build({
    input: join(import.meta.dirname, 'create-browser-mock.ts'),
    ...{ platform: 'browser', plugins: [animalsAsData], ...options },
    output: { minify: true, codeSplitting: false, ...output },
  });
}
