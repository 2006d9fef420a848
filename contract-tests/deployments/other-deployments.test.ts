import { inject } from 'vitest';
import { testVerdicts } from '../testing/test-verdicts.ts';
import { brokenDeployments } from './broken-deployments.ts';
import { conformingDeployments } from './conforming-deployments.ts';
import { wholeStoreDeployments } from './whole-store.deployments.ts';

const all = [...brokenDeployments, ...wholeStoreDeployments, ...conformingDeployments];

testVerdicts(all.filter((_, index) => index % inject('everyOther') === 0));
