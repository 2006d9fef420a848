import { testVerdicts } from '../../testing/test-verdicts.ts';
import { laxKeyDeployments } from './lax-key-deployments.ts';

testVerdicts(laxKeyDeployments);
