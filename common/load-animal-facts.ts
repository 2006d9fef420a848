import { type AnimalFacts, readAnimalFacts } from './json/animal-facts.ts';
import { loadContract } from './load-contract.ts';

/** Returns what the contract of this project says about animals and their lists. */
export function loadAnimalFacts(): AnimalFacts {
  return readAnimalFacts(loadContract());
}
