import { inject } from 'vitest';
import { testVerdicts } from '../testing/test-verdicts.ts';
import { brokenDeployments, usualDeployments } from './broken-deployments.ts';

const others = brokenDeployments.filter((one) => !usualDeployments.includes(one));

testVerdicts(others.filter((_, index) => index % inject('everyOther') === 0));
