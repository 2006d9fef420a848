import { inject } from 'vitest';
import { testVerdicts } from '../testing/test-verdicts.ts';
import { brokenDeployments, usualDeployments } from './broken-deployments.ts';
import { conformingDeployments, usualConforming } from './conforming-deployments.ts';

const usual = new Set([...usualDeployments, ...usualConforming]);
const others = [...brokenDeployments, ...conformingDeployments].filter((one) => !usual.has(one));

testVerdicts(others.filter((_, index) => index % inject('everyOther') === 0));
