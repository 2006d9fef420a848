import { testVerdicts } from '../testing/test-verdicts.ts';
import { conformingDeployments } from './conforming-deployments.ts';

testVerdicts(conformingDeployments);
