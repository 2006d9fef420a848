import { testVerdicts } from '../testing/test-verdicts.ts';
import { deployments } from './rows.ts';
import { transformations } from './transformations.ts';

testVerdicts(deployments(transformations));
