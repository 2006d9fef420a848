import { loadAnimalFacts } from '../common/load-animal-facts.ts';
import { createServiceContract, type ServiceContract } from './service/contract.ts';

/** The contract of the mock. In a package, the build replaces loadAnimalFacts by its data. */
export const serviceContract: ServiceContract = createServiceContract(loadAnimalFacts());
