import { testVerdicts } from '../../testing/test-verdicts.ts';
import { limitDeployments } from './limit-deployments.ts';

testVerdicts(limitDeployments);
