import { testVerdicts } from '../testing/test-verdicts.ts';
import { brokenDeployments } from './broken-deployments.ts';
import { generatedDeployments } from './generated-deployments.ts';

testVerdicts(brokenDeployments.filter(({ name }) => name in generatedDeployments));
