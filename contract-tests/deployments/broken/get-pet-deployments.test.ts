import { testVerdicts } from '../../testing/test-verdicts.ts';
import { getPetDeployments } from './get-pet-deployments.ts';

testVerdicts(getPetDeployments);
