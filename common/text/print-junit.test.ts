import { expect, test } from 'vitest';
import { printJunit } from './print-junit.ts';

// Elements and attributes as in the schema of Jenkins' xUnit plugin: junit-10.xsd.
test('a report is as the schema of Jenkins has it', () => {
  const text = 'a <b> & "c"\n]]> \u001b[1m \ud800 ##[error]';
  const cases = (['passed', 'failure', 'error', 'skipped'] as const).flatMap((result) => [
    { name: text, result, message: text, text, seconds: 0.0004 },
    { name: result, result },
  ]);
  const suites = [
    { name: 'all', cases, text },
    { name: 'none', cases: [] },
  ];
  const startedAt = new Date('2030-12-04T05:06:07.891Z');
  const report = printJunit({ name: text, startedAt, seconds: 1.23456e-7, suites });
  const escaped = 'a &lt;b&gt; &amp; &quot;c&quot;\n]]&gt; \\u001b[1m \ufffd #&#35;[error]';
  const counts = 'tests="8" failures="2" errors="2"';
  const printCase = (result: string) => [
    `    <testcase classname="all" name="${escaped}" time="0.000">`,
    `      <${result} message="${escaped}">${escaped}</${result}>`,
    '    </testcase>',
    ...[
      `    <testcase classname="all" name="${result}">`,
      `      <${result} message=""/>`,
      '    </testcase>',
    ],
  ];
  expect(report).toBe(
    [
      '<?xml version="1.0" encoding="UTF-8"?>',
      `<testsuites name="${escaped}" ${counts} time="0.000">`,
      `  <testsuite name="all" ${counts} skipped="2" timestamp="2030-12-04T05:06:07">`,
      `    <testcase classname="all" name="${escaped}" time="0.000">`,
      `      <system-out>${escaped}</system-out>`,
      '    </testcase>',
      '    <testcase classname="all" name="passed"/>',
      ...['failure', 'error', 'skipped'].flatMap(printCase),
      `    <system-out>${escaped}</system-out>`,
      '  </testsuite>',
      '  <testsuite name="none" tests="0" failures="0" errors="0" skipped="0" timestamp="2030-12-04T05:06:07"/>',
      '</testsuites>\n',
    ].join('\n'),
  );
});
