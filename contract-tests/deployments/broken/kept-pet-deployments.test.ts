import { testVerdicts } from '../../testing/test-verdicts.ts';
import { keptPetDeployments } from './kept-pet-deployments.ts';

testVerdicts(keptPetDeployments);
