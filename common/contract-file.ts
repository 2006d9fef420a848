import { fileURLToPath } from 'node:url';

/** Path of openapi.yaml: the root of a checkout, or `dist` of a published package. */
export const contractFile: string = fileURLToPath(new URL('../openapi.yaml', import.meta.url));
