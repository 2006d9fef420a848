import { testVerdicts } from '../../testing/test-verdicts.ts';
import { answeredPetDeployments } from './answered-pet-deployments.ts';

testVerdicts(answeredPetDeployments);
