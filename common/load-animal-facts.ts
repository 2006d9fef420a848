import { type AnimalFacts, readAnimalFacts } from './json/animal-facts.ts';
import { loadContract } from './load-contract.ts';

export function loadAnimalFacts(): AnimalFacts {
  return readAnimalFacts(loadContract());
}
