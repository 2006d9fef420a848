import { testVerdicts } from '../../testing/test-verdicts.ts';
import { addedPetDeployments } from './added-pet-deployments.ts';

testVerdicts(addedPetDeployments);
