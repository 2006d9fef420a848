const output = { client: 'fetch', baseUrl: { getBaseUrlFromSpecification: true } };

const override = { useBigInt: true, fetch: { jsonReviver: { path: './int64.ts', name: 'readInt64' } } };

export default {
  asItComes: { input: '../openapi.yaml', output: { ...output, target: 'generated/orval/animal-store.ts' } },
  withInt64: {
    input: '../openapi.yaml',
    output: { ...output, target: 'generated/orval/animal-store-int64.ts', override },
  },
};
