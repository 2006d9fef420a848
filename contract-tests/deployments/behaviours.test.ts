import { test } from 'vitest';
import { type Choice, choiceNames, choices, openChoices } from '../../common/behaviour/choices.ts';
import { listValues } from '../../tools/testing/list-values.ts';
import { isFailure } from '../runner/report.ts';
import { expectConformance } from '../testing/expect-conformance.ts';
import { runWith } from '../testing/run-suite.ts';
import { askDeployment } from './run-deployment.ts';

const singles = openChoices.flatMap((name) => listValues(name).map((value) => ({ [name]: value })));

test.concurrent.for(singles)('a mock with behaviour %j conforms', expectConformance);

const habits = choiceNames
  .filter((name) => !openChoices.includes(name))
  .map((name) => ({ name, behaviour: { [name]: choices[name].values[1] } }));

test.concurrent.for(habits)(
  'a mock with behaviour $behaviour does not conform',
  async (habit, { expect }) => {
    const { breaks }: Choice = choices[habit.name];
    const { outcomes } = await runWith(await askDeployment({ options: { behaviour: habit.behaviour } }));
    const failed = outcomes.filter(isFailure).map(({ clause }) => clause.id);
    expect(failed).toContain(breaks);
  },
);
