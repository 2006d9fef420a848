import { fileURLToPath } from 'node:url';

/** Where openapi.yaml is: at the root of a checkout, and beside what a published package was built to. */
export const contractFile: string = fileURLToPath(new URL('../openapi.yaml', import.meta.url));
