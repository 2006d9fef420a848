import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Keys } from '../common/text/redact.ts';
import { createFolder } from '../tools/testing/create-folder.ts';
import { createWriters } from './report-writers.ts';
import type { PrintOptions } from './reporters/parts.ts';
import { reporters } from './reporters/reporters.ts';
import type { Report, Result } from './runner/report.ts';
import { reportUnstarted } from './runner/report-untried.ts';

const clause = {
  id: 'list-pets/pets',
  heading: 'GET /pets',
  sentence: 'Lists pets.',
  level: 'required',
} as const;
const compared = { responses: 1, lists: 1, animals: 4 };
const passed: Result = { clause, compared, verdict: 'passed' };
const counts = {
  verdict: 'conforms',
  tested: 1,
  required: 1,
  requests: 9,
  animalsAdded: 0,
  added: [],
  ms: 1,
};
const report = {
  ...reportUnstarted(''),
  startedAt: '2026-11-23T10:00:00.000Z',
  ...counts,
  baseUrl: 'http://store.example',
  leftOut: [],
  outcomes: [passed],
} as Report;

const expected = (name: string, options: PrintOptions = {}) => reporters[name]?.print(report, options);

/** Creates writers with the variable of GitHub. */
function create(
  summary: string,
  options: PrintOptions,
  ...choices: { name: string; file: string | undefined }[]
) {
  vi.stubEnv('GITHUB_STEP_SUMMARY', summary);
  onTestFinished(() => void vi.unstubAllEnvs());
  return createWriters(choices, options, new Keys());
}

test('reports on stdout come first, so that no file can hide the verdict', () => {
  const folder = createFolder();
  const [json, junit] = [join(folder, 'report.json'), join(folder, 'report.xml')];
  const writers = create(
    '',
    {},
    { name: 'json', file: json },
    { name: 'github', file: undefined },
    { name: 'junit', file: junit },
  );
  expect(writers.map(({ name }) => name)).toEqual(['github', 'json', 'junit']);
  expect(writers.slice(1).map(({ write }) => write(report))).toEqual([true, true]);
  expect([json, junit].map((file) => readFileSync(file, 'utf8'))).toEqual([
    expected('json'),
    expected('junit'),
  ]);
});

test('a report in a file has what --verbose adds', () => {
  const file = join(createFolder(), 'report.txt');
  const [writer] = create('', { isVerbose: true }, { name: 'terminal', file });
  writer?.write(report);
  expect(readFileSync(file, 'utf8')).toBe(expected('terminal', { isVerbose: true }));
  expect(expected('terminal', { isVerbose: true })).toContain('passed');
});

test('the summary of a job gets a report after what it has, if it is there', () => {
  const file = join(createFolder(), 'summary.md');
  const terminal = { name: 'terminal', file: undefined };
  expect(create(file, {}, terminal)).toHaveLength(1);
  writeFileSync(file, '# Before');
  const [, summary] = create(file, {}, terminal);
  expect([summary?.name, summary?.file, summary?.write(report)]).toEqual(['markdown', file, true]);
  expect(readFileSync(file, 'utf8')).toBe(`# Before\n${expected('markdown')}`);
});
