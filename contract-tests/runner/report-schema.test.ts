import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type AnySchema } from 'ajv';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import { brokenDeployments } from '../deployments/broken-deployments.ts';
import { startCli, startForTest } from '../testing/run-cli.ts';

const runCli = startCli();

/** Fields may be added to a report, but each must be named in the schema. */
const refuseOthers = (_: string, value: Readonly<Record<string, unknown>>) =>
  value?.type === 'object' ? { ...value, additionalProperties: false } : value;

const text = readFileSync(join(import.meta.dirname, '../report.schema.json'), 'utf8');
const schema = JSON.parse(text, refuseOthers as (name: string, value: unknown) => unknown) as AnySchema;

const ajv = new Ajv({ allErrors: true });
formats.default(ajv);
const isReport = ajv.compile(schema);

const named = (wanted: string) => brokenDeployments.find(({ name }) => name === wanted);

test.for([
  ['conforms', undefined, ['--allow-writes']],
  ['could only be read', undefined, []],
  [
    'failed with what led to it',
    named('answers a categoryId exactly and keeps it as a double'),
    ['--allow-writes'],
  ],
  ['left something unproven', named('answers 500 to a categoryId beyond int64'), ['--allow-writes']],
  ['was left at once', undefined, ['--allow-writes', '--deadline', '1000', '--max-rate', '20']],
] as const)(
  'the JSON report of a run that %s is as report.schema.json says',
  async ([, deployment, args]) => {
    const { stdout } = await runCli([await startForTest(deployment), ...args, '--reporter', 'json']);
    isReport(JSON.parse(stdout));
    expect(isReport.errors).toBeNull();
  },
);

test('a report without a verdict, or with a failure that lacks what came, is refused', async () => {
  const { stdout } = await runCli([
    await startForTest(),
    '--only',
    'list-pets/success',
    '--reporter',
    'json',
  ]);
  const report = JSON.parse(stdout);
  const withVerdict = (verdict: unknown) => ({ ...report, outcomes: [{ ...report.outcomes[0], verdict }] });
  expect(isReport(withVerdict('passed'))).toBe(true);
  expect(isReport(withVerdict(undefined))).toBe(false);
  expect(isReport(withVerdict('failed'))).toBe(false);
});
