import { testVerdicts } from '../testing/test-verdicts.ts';
import { wholeStoreDeployments } from './whole-store.deployments.ts';

testVerdicts(wholeStoreDeployments);
