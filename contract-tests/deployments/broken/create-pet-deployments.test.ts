import { testVerdicts } from '../../testing/test-verdicts.ts';
import { createPetDeployments } from './create-pet-deployments.ts';

testVerdicts(createPetDeployments);
