import { testVerdicts } from '../../testing/test-verdicts.ts';
import { unknownPetDeployments } from './unknown-pet-deployments.ts';

testVerdicts(unknownPetDeployments);
