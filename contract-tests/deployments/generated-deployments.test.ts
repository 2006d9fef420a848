import { inject } from 'vitest';
import { testVerdicts } from '../testing/test-verdicts.ts';
import { brokenDeployments } from './broken-deployments.ts';
import { generatedDeployments } from './generated-deployments.ts';

const generated = brokenDeployments.filter(({ name }) => name in generatedDeployments);

testVerdicts(generated.filter((_, index) => index % inject('everyGenerated') === 0));
