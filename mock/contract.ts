import { readAnimalFacts } from '../common/json/animal-facts.ts';
import { loadContract } from '../common/load-contract.ts';
import { createServiceContract, type ServiceContract } from './service/contract.ts';

/** The contract of the mock. In a package, the build replaces the file of openapi.yaml by its data. */
export const serviceContract: ServiceContract = createServiceContract(readAnimalFacts(loadContract()));
