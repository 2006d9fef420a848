import { fileURLToPath } from 'node:url';

/** The file of animals that the HTTP cases start with: two available, one pending, one sold, one without a status. */
export const sampleAnimals: string = fileURLToPath(
  new URL('../../fixtures/sample-animals.json', import.meta.url),
);
