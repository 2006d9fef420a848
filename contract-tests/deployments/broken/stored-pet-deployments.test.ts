import { testVerdicts } from '../../testing/test-verdicts.ts';
import { storedPetDeployments } from './stored-pet-deployments.ts';

testVerdicts(storedPetDeployments);
