import { testVerdicts } from '../../testing/test-verdicts.ts';
import { statusDeployments } from './status-deployments.ts';

testVerdicts(statusDeployments);
