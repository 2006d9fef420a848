// npm run generate makes animal-store.d.ts of the contract that is in the package.
import createClient from 'openapi-fetch';
import type { components, paths } from './animal-store';

export type Pet = components['schemas']['Pet'];

export const client = createClient<paths>({ baseUrl: '/v1' });
