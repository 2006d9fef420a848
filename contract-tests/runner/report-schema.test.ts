import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type AnySchemaObject } from 'ajv';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import { askDeployment } from '../deployments/run-deployment.ts';
import { faultKinds } from '../failures/identify-failure.ts';
import { causeNames } from '../reporters/describe-cause.ts';
import { reporters } from '../reporters/reporters.ts';
import { runWith, severalDefects } from '../testing/run-suite.ts';
import { sampleFailures } from '../testing/sample-failures.ts';
import type { Report, Result } from './report.ts';

/** Fields may be added to a report, but each must be named in the schema. */
const refuseOthers = (_: string, value: Readonly<Record<string, unknown>>) =>
  value?.type === 'object' ? { ...value, additionalProperties: false } : value;

const text = readFileSync(join(import.meta.dirname, '../report.schema.json'), 'utf8');
const schema = JSON.parse(text, refuseOthers as (name: string, value: unknown) => unknown) as AnySchemaObject;

const ajv = new Ajv({ allErrors: true });
formats.default(ajv);
const isReport = ajv.compile(schema);

const print = (report: Report) => JSON.parse(reporters.json?.print(report, {}) ?? '');

test('every JSON report matches report.schema.json, and a schema error is found', async () => {
  const broken = print(await runWith(await askDeployment(severalDefects)));
  const short = print(await runWith(await askDeployment({}), { allowsWrites: false, deadline: 1 }));
  const members = JSON.stringify([broken, short]);
  // The reports have everything that a report may have.
  for (const member of [
    'before',
    'script',
    'follows',
    'suspected',
    'cause',
    'reason',
    'quote',
    'times',
    'excused',
  ])
    expect(members).toContain(`"${member}":`);
  const disturbed = {
    ...broken,
    interrupted: { count: 49, statuses: [502, 503], ms: 8_100 },
    outcomes: broken.outcomes.map((result: Result) => ({ ...result, ofEarlierRun: true })),
  };
  for (const report of [broken, short, disturbed]) {
    isReport(report);
    expect(isReport.errors).toBeNull();
  }
  const withVerdict = (verdict: unknown) => ({ ...short, outcomes: [{ ...short.outcomes[0], verdict }] });
  expect(isReport(withVerdict(short.outcomes[0].verdict))).toBe(true);
  expect(isReport(withVerdict(undefined))).toBe(false);
  // A failure needs its data and its texts.
  expect(isReport(withVerdict('failed'))).toBe(false);
});

test('report.schema.json has every kind of failure and every cause', () => {
  const { failure, cause } = schema.definitions;
  expect(failure.properties.kind.enum).toEqual(faultKinds);
  const isFailure = ajv.compile({ ...failure, definitions: schema.definitions });
  const request = { what: 'like a listed animal', id: '7' };
  for (const sample of [...Object.values(sampleFailures), { ...sampleFailures.status, request }]) {
    isFailure(sample);
    expect([sample.kind, isFailure.errors]).toEqual([sample.kind, null]);
  }
  expect(cause.properties.cause.enum.toSorted()).toEqual(causeNames.toSorted());
});
