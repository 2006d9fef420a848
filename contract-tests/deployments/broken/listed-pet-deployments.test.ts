import { testVerdicts } from '../../testing/test-verdicts.ts';
import { listedPetDeployments } from './listed-pet-deployments.ts';

testVerdicts(listedPetDeployments);
