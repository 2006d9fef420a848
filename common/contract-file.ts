import { createRequire } from 'node:module';

/** Where openapi.yaml is, in the source tree and in the published package alike. */
export const contractFile: string = createRequire(import.meta.url).resolve('animal-store-mock/openapi.yaml');
