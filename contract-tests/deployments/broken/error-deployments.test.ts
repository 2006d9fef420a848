import { testVerdicts } from '../../testing/test-verdicts.ts';
import { errorDeployments } from './error-deployments.ts';

testVerdicts(errorDeployments);
