import { expect, test } from 'vitest';
import { printJunit } from './print-junit.ts';

// Elements and attributes as in the schema of Jenkins' xUnit plugin: junit-10.xsd.
test('a report is as the schema of Jenkins has it', () => {
  const text = 'a <b> & "c"\n]]> \u001b[1m \ud800 \ufffe ##[error]';
  const results = ['passed', 'failure', 'error', 'skipped'] as const;
  const cases = results.map((result) => ({ name: text, result, message: text, text, seconds: 0.0004 }));
  const none = { name: 'none', cases: [{ name: 'none', result: 'failure' as const }] };
  const suites = [{ name: 'all', cases, text }, none];
  const startedAt = new Date('2030-12-04T05:06:07.891Z');
  const report = printJunit({ name: text, startedAt, seconds: 1.23456e-7, suites });
  const escaped = 'a &lt;b&gt; &amp; &quot;c&quot;\n]]&gt; \\u001b[1m \ufffd \ufffd #&#35;[error]';
  const testcase = '<testcase classname="all" name="~" time="0.000">';
  expect(report.replaceAll(escaped, '~').split(/\n */)).toEqual([
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites name="~" tests="5" failures="2" errors="1" time="0.000">',
    '<testsuite name="all" tests="4" failures="1" errors="1" skipped="1" timestamp="2030-12-04T05:06:07">',
    ...[testcase, '<system-out>~</system-out>', '</testcase>'],
    ...results.slice(1).flatMap((name) => [testcase, `<${name} message="~">~</${name}>`, '</testcase>']),
    ...['<system-out>~</system-out>', '</testsuite>'],
    '<testsuite name="none" tests="1" failures="1" errors="0" skipped="0" timestamp="2030-12-04T05:06:07">',
    ...['<testcase classname="none" name="none">', '<failure message=""/>', '</testcase>'],
    ...['</testsuite>', '</testsuites>', ''],
  ]);
});
