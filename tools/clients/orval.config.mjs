const input = '../../openapi.yaml';
const output = { client: 'fetch', baseUrl: { getBaseUrlFromSpecification: true } };

const override = { useBigInt: true, fetch: { jsonReviver: { path: './int64.ts', name: 'readInt64' } } };

export default {
  asItComes: { input, output: { ...output, target: 'generated/orval/animal-store.ts' } },
  withInt64: { input, output: { ...output, target: 'generated/orval/animal-store-int64.ts', override } },
};
