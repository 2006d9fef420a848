import { expect, test } from 'vitest';
import { clauseIds } from '../testing/run-suite.ts';
import { clausesOf, exceptions, expectedOf, printVerdict, verify } from '../testing/test-verdicts.ts';
import { brokenDeployments, usualDeployments } from './broken-deployments.ts';
import { conformingDeployments } from './conforming-deployments.ts';
import { generatedDeployments } from './generated-deployments.ts';

const all = [...brokenDeployments, ...conformingDeployments];

/** Changes of an error that the specification leaves open. */
const tolerated = ['answers an invalid limit with status 409', 'answers an unknown status with status 409'];

test('no two deployments have the same name', () => {
  const names = all.map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('verdicts.txt has each deployment once that is no row under the clause that it breaks', () => {
  const others = all.filter(({ breaks }) => breaks === undefined).map(({ name }) => name);
  expect(exceptions.flatMap(({ names }) => names).toSorted()).toEqual(others.toSorted());
});

test('each generated deployment has one verdict: of its row, or of verdicts.txt', () => {
  const rows = brokenDeployments.filter(({ breaks }) => breaks !== undefined).map(({ name }) => name);
  const placed = [...rows, ...exceptions.flatMap(({ names }) => names)];
  const generated = Object.keys(generatedDeployments);
  expect(placed.filter((name) => name in generatedDeployments).toSorted()).toEqual(generated.toSorted());
});

test('verdicts.txt has only exceptions: more than one finding with a reason, and what conforms', () => {
  const failing = exceptions.filter(({ verdict }) => !verdict.startsWith('conforms'));
  expect(failing.filter(({ verdict, reason }) => !verdict.includes(' + ') || !reason)).toEqual([]);
  const passed = brokenDeployments.filter((one) => expectedOf(one).startsWith('conforms'));
  expect(passed.map(({ name }) => name)).toEqual(tolerated);
});

test('each clause is a finding of a broken deployment', () => {
  const findings = new Set(brokenDeployments.flatMap((one) => expectedOf(one).split(' + ')));
  // The transactions of Dredd have tests of their own.
  const unproven = clauseIds.filter((id) => !findings.has(id));
  expect(unproven, 'Add a row under these clauses to the file *.deployments.ts next to theirs').toEqual([]);
  const unknown = brokenDeployments
    .flatMap(({ breaks = [] }) => breaks)
    .filter((id) => !clauseIds.includes(id));
  expect(unknown, 'There are rows under ids that no clause has').toEqual([]);
});

// That no other clause fails is tested in other-deployments.test.ts, which runs the whole suite.
test.concurrent.for(usualDeployments)(
  'its clause finds a deployment that $name',
  async (deployment, { expect }) => {
    expect(printVerdict(await verify(deployment, clausesOf(deployment)))).toBe(expectedOf(deployment));
  },
);
