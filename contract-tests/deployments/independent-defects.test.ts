import { expect, test } from 'vitest';
import { resolveTarget } from '../client/target.ts';
import { isFailure, listHeadlines } from '../runner/report.ts';
import { runSuite } from '../runner/run.ts';
import { withoutDredd } from '../testing/test-verdicts.ts';
import { askDeployment } from './ask-deployment.ts';
import { brokenDeployments } from './broken-deployments.ts';
import { change } from './changes.ts';
import type { Deployment } from './deployment.ts';
import { broken } from './rows.ts';

/** The defects of a decoder that reads JSON as Go's does. */
const lenientDecoder = broken([], {
  'reads member names in any case': change.sent((sent) => {
    const names = new Map(['name', 'categoryId', 'status'].map((name) => [name.toLowerCase(), name]));
    const entries = Object.entries(sent).map(([name, value]) => [
      names.get(name.toLowerCase()) ?? name,
      value,
    ]);
    return Object.fromEntries(entries);
  }),
  'takes null for the zero value': change.sent(({ name, categoryId, status, ...rest }) => ({
    ...rest,
    ...(name !== undefined && { name: name ?? '' }),
    ...(categoryId !== undefined && { categoryId: categoryId ?? 0n }),
    ...(status !== undefined && status !== null && { status }),
  })),
  'reads only the first value of a body': change.body((body) => body.replace(/\}\}$/, '}')),
});

interface Row {
  readonly defects: readonly string[];
  /** The number of headlines, where one defect hides another, and how it does. */
  readonly hidden?: readonly [headlines: number, reason: string];
}

const rows: readonly Row[] = [
  { defects: lenientDecoder.map(({ name }) => name) },
  {
    defects: [
      'adds an animal without a name',
      'adds an animal with false for a status',
      'takes JSON with a comma too many',
    ],
  },
  {
    defects: [
      'takes an empty body for an animal',
      'refuses what is malformed with 415',
      'refuses a bad status with 409',
    ],
  },
  { defects: ['adds an animal with null for a name', 'lists one animal more than limit says'] },
  {
    defects: ['accepts the key in X-API-Key', 'answers a categoryId exactly and keeps it as a double'],
  },
  {
    defects: [
      'answers a categoryId exactly and keeps it as a double',
      'lists an animal with another name than its own',
    ],
  },
  { defects: ['adds an animal that is reserved', 'answers an animal by its id 203'] },
  { defects: ['lists an animal without a name', 'answers an animal by its id with another name'] },
  { defects: ['accepts a longer key', 'accepts the key after "Bearer:"'] },
  {
    defects: ['adds an animal without a categoryId', 'adds an animal with a fraction for a categoryId'],
  },
  { defects: ['takes pending for sold in the filter', 'answers an unknown id 204'] },
  { defects: ['looks at the status after the limit', 'answers a creation with the name in upper case'] },
  { defects: ['adds an animal with an unknown status', 'answers 500 to a categoryId beyond int64'] },
  { defects: ['refuses a body without a name with 422', 'refuses an empty body with 411'] },
  { defects: ['answers that an animal is sold and keeps it as pending', 'cuts names in lists'] },
  {
    defects: ['lists with any key', 'adds an animal with any key'],
    hidden: [1, 'the same wrong keys are accepted'],
  },
];

/** A deployment with several defects. */
function combine(defects: readonly string[]): Deployment {
  const all = [...lenientDecoder, ...brokenDeployments];
  const parts = defects.map((wanted) => all.find(({ name }) => name === wanted));
  expect(parts).not.toContain(undefined);
  const options = Object.assign({}, ...parts.map((part) => part?.options));
  const createBehaviour = () =>
    parts
      .flatMap((part) => part?.createBehaviour?.() ?? [])
      .reduce(
        (inner, outer) => (request, asMock) =>
          outer(request, (asked) => inner(asked, asMock) as ReturnType<typeof asMock>),
      );
  return { name: defects.join(' and '), breaks: [], options, createBehaviour };
}

test.concurrent.for(rows)('$defects: a headline for each defect', async ({ defects, hidden }, { expect }) => {
  const sendRequest = await askDeployment(combine(defects));
  const where = { baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'test-key', allowsWrites: true };
  const report = await runSuite(resolveTarget({ ...where, runs: 5, settle: 30 }), {
    only: withoutDredd,
    sendRequest,
  });
  const headlines = listHeadlines(report).filter(isFailure);
  expect(headlines.map(({ clause }) => clause.id)).toHaveLength(hidden?.[0] ?? defects.length);
});
