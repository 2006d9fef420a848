import { testVerdicts } from '../testing/test-verdicts.ts';
import { deployments } from './deployment.ts';
import { transformations } from './transformations.ts';

testVerdicts(deployments(transformations));
