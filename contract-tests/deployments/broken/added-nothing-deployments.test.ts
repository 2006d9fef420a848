import { testVerdicts } from '../../testing/test-verdicts.ts';
import { addedNothingDeployments } from './added-nothing-deployments.ts';

testVerdicts(addedNothingDeployments);
