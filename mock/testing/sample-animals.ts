import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type JsonObject, parseExactJson } from '../../common/exact-json.ts';

/** The file of animals that the HTTP cases start with: two available, one pending, one sold, one without a status. */
export const sampleAnimals: string = fileURLToPath(
  new URL('../../fixtures/sample-animals.json', import.meta.url),
);

/** The animals of the file, in its order, every integer exact. */
export const samplePets = parseExactJson(readFileSync(sampleAnimals)) as readonly JsonObject[];
