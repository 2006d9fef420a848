import { testVerdicts } from '../testing/test-verdicts.ts';
import { conformingDeployments } from './conforming-deployments.ts';

testVerdicts('a deployment that $name passes', conformingDeployments);
