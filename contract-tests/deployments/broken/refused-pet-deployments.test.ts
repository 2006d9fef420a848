import { testVerdicts } from '../../testing/test-verdicts.ts';
import { refusedPetDeployments } from './refused-pet-deployments.ts';

testVerdicts(refusedPetDeployments);
