import { expect, test } from 'vitest';
import { tolerances } from '../history/tolerances.ts';
import { clauses } from '../rules/clauses.ts';
import { testVerdicts } from '../testing/test-verdicts.ts';
import { conformingDeployments, tolerated, usualConforming } from './conforming-deployments.ts';

test('each tolerance, and each point that a clause tolerates, has a conforming deployment', () => {
  const points = clauses.flatMap((clause) => Object.keys(clause.tolerated ?? {}));
  const untried = [...Object.keys(tolerances), ...points].filter((point) => !(point in tolerated));
  expect(untried, 'Add a row to `tolerated` in conforming-deployments.ts').toEqual([]);
  const names = conformingDeployments.map(({ name }) => name);
  expect(Object.values(tolerated).flatMap((some) => some.filter((name) => !names.includes(name)))).toEqual(
    [],
  );
});

// other-deployments.test.ts has the others.
testVerdicts(usualConforming);
