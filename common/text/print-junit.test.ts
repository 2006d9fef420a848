import { expect, test } from 'vitest';
import { printJunit } from './print-junit.ts';

const counts = ['name', 'tests', 'failures', 'errors'];
const result = { attributes: ['message', 'type'] };

/** Elements by name, as the schema of Jenkins' xUnit plugin has them: junit-10.xsd. */
const schema: Readonly<
  Record<
    string,
    { attributes: readonly string[]; required?: readonly string[]; children?: readonly string[] }
  >
> = {
  testsuites: { attributes: [...counts, 'time'], children: ['testsuite'] },
  testsuite: {
    attributes: [...counts, 'time', 'skipped', 'timestamp', 'hostname', 'id', 'package', 'file'],
    required: counts,
    children: ['testsuite', 'testcase'],
  },
  testcase: {
    attributes: ['name', 'time', 'classname'],
    required: ['name'],
    children: ['skipped', 'error', 'failure', 'system-out', 'system-err'],
  },
  ...{ skipped: result, error: result, failure: result },
  ...{ 'system-out': { attributes: [] }, 'system-err': { attributes: [] } },
};

test('a report is as the schema of Jenkins has it', () => {
  const text = 'a <b> & "c"\n]]> \u001b[1m \ud800';
  const cases = (['passed', 'failure', 'error', 'skipped'] as const).flatMap((result) => [
    { name: text, result, message: text, text, seconds: 0.0004 },
    { name: result, result },
  ]);
  const suites = [
    { name: text, cases },
    { name: 'none', cases: [] },
  ];
  const report = printJunit({ name: text, startedAt: new Date(), seconds: 1.23456e-7, suites });
  const open = [{ children: ['testsuites'] }];
  let elements = 0;
  for (const [, end, name = '', written = '', isEmpty] of report.matchAll(/<(\/?)([\w-]+)([^<>]*?)(\/?)>/g)) {
    if (end) {
      open.pop();
      continue;
    }
    elements += 1;
    const { attributes = [], required = [], children = [] } = schema[name] ?? {};
    const names = [...written.matchAll(/ ([\w-]+)="[^"]*"/g)].map(([, one]) => one);
    expect(open.at(-1)?.children).toContain(name);
    expect(attributes).toEqual(expect.arrayContaining(names));
    expect(names).toEqual(expect.arrayContaining([...required]));
    expect(new Set(names).size).toBe(names.length);
    if (!isEmpty) open.push({ children: [...children] });
  }
  expect([elements, open.length]).toEqual([18, 1]);
  const times = [...report.matchAll(/ time="([^"]*)"/g)].map(([, time]) => time);
  expect(new Set(times)).toEqual(new Set(['0.000']));
});
