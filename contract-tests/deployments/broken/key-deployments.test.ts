import { testVerdicts } from '../../testing/test-verdicts.ts';
import { keyDeployments } from './key-deployments.ts';

testVerdicts(keyDeployments);
