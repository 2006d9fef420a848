import { expect, test } from 'vitest';
import { conclude, type Report, type Result } from '../runner/report.ts';
import type { PrintOptions } from './parts.ts';
import { reporters } from './reporters.ts';

function createResult(id: string, others: Partial<Result>): Result {
  const clause = { id, heading: 'GET /pets', sentence: `The sentence of ${id}.`, level: 'required' as const };
  return {
    clause,
    compared: { responses: 1, lists: 0, animals: 0 },
    requests: 1,
    verdict: 'passed',
    ms: 1,
    ...others,
  };
}

const exchange = (line: string, status: number, at: number) => ({
  line: line.replace('http://store.example/v1', ''),
  request: `${line}\nAuthorization: Bearer [key]`,
  response: `HTTP ${status}\n\n[]`,
  status,
  curl: `curl ${line}`,
  at,
  ms: 1,
});

const count = {
  kind: 'count',
  compared: 'at most',
  expected: 5,
  received: 6,
  isAtLeast: false,
  mayLag: false,
} as const;
const failures = [{ ...count, operation: 'GET /pets', side: 'list', status: 200 }] as const;
const failure = { verdict: 'failed', failures } as const;

const withReason = (id: string, verdict: Result['verdict'], reason: string, cause?: Result['cause']) =>
  createResult(id, { verdict, reason, ...(cause && { cause }) });

const { clause } = createResult('list-pets/advice', {});

const outcomes = [
  createResult('list-pets/advice', { ...failure, clause: { ...clause, level: 'recommended' } }),
  createResult('list-pets/one', {
    ...failure,
    suspected: { cause: 'trimmed' },
    before: [exchange('POST http://store.example/v1/pets', 201, 100)],
    evidence: exchange('GET http://store.example/v1/pets?limit=5', 200, 112.34),
    script: 'first\nsecond',
  }),
  createResult('list-pets/two', { ...failure, follows: 'list-pets/one' }),
  createResult('list-pets/three', { ...failure, follows: 'list-pets/one' }),
  createResult('list-pets/four', {}),
  withReason('list-pets/five', 'not tested', 'it adds animals', 'read-only'),
  withReason('list-pets/six', 'not tested', 'it adds animals', 'read-only'),
  withReason('list-pets/seven', 'not tested', 'it was late', 'deadline'),
  withReason('list-pets/eight', 'not applicable', 'too few animals'),
  withReason('list-pets/nine', 'error', 'Error: x\n    at y'),
];

/** A report of outcomes, with its verdict. */
const createReport = (outcomes: readonly Result[], leftOut: readonly string[] = []) => {
  const counts = { baseUrl: 'http://store.example/v1', requests: 9, animalsAdded: 1, ms: 1234 };
  return { ...conclude({ outcomes, leftOut }), ...counts, leftOut, outcomes } as unknown as Report;
};

const report = createReport(outcomes);

const print = (options: PrintOptions = {}, told = report) => reporters.terminal?.print(told, options) ?? '';

test('findings come first, then the clauses without a result, then the verdict and the counts', () => {
  expect(print()).toBe(`FAILED  The sentence of list-pets/one.
  list-pets/one  GET /pets
  expected  at most 5 animals
  received  6
  probably  trimmed
  POST /pets → 201, 12.3 ms before
  GET /pets?limit=5 → 200
  first
  second
  also: 2 clauses with the same evidence
    list-pets/two: expected at most 5 animals, received 6
    list-pets/three: expected at most 5 animals, received 6

NOT MET  The sentence of list-pets/advice.
  list-pets/advice  GET /pets
  expected  at most 5 animals
  received  6

FAULT OF THE SUITE  The sentence of list-pets/nine.
  list-pets/nine
  Error: x
      at y

Not tested
  it adds animals
    2 clauses: list-pets/five, list-pets/six
  it was late
    1 clause: list-pets/seven

Not applicable
  too few animals
    1 clause: list-pets/eight

http://store.example/v1 does not conform: 1 finding, 4 of 8 required clauses tested. Read-only: POST /pets was not tested. Deadline: 1 not tested
1 passed, 3 failed in 1 finding, 3 not tested, 1 not applicable, 1 fault of the suite. Recommendations: 0 met, 1 not met (9 requests, 1 animal added, 1.2 s)
`);
});

test('with --verbose the passed clauses come first, with what they have compared', () => {
  const row = `  passed  ${'list-pets/four'.padEnd(36)} The sentence of list-pets/four. compared 1 response`;
  expect(print({ isVerbose: true })).toBe(`GET /pets\n${row}\n\n${print()}`);
});

test.for<[Partial<Result>, string, leftOut?: string[]]>([
  [{}, 'conforms: 3 of 3 required clauses tested'],
  [{}, 'conforms in part: 3 of 4 required clauses tested. Only: 3 of list-pets', ['list-pets/x']],
  [
    { verdict: 'not tested', cause: 'full store' },
    'conforms in part: 2 of 3 required clauses tested. Full store: 1 not tested',
  ],
  [{ verdict: 'not applicable' }, 'conforms: 2 of 2 required clauses tested'],
  [{ verdict: 'error' }, 'has no verdict: 2 of 3 required clauses tested'],
])('with a clause that is %o the verdict is %s', ([changed, expected, leftOut]) => {
  const three = [changed, {}, {}].map((others, index) => createResult(`list-pets/${index}`, others));
  const printed = print({}, createReport(three, leftOut));
  expect(printed).toContain(`http://store.example/v1 ${expected}\n`);
});

const known = { reason: 'Seen by Ann', until: '2030-01-31', issue: 'https://t.example/1', isExpired: false };
const expired = { reason: 'Seen | by #1', isExpired: true, until: '2020-01-31' };

/** A run that ended early, with failures that are known, and one whose entry has expired. */
const long: Report = {
  ...createReport(
    [
      createResult('list-pets/known', { ...failure, known }),
      createResult('list-pets/expired', { ...failure, known: expired }),
      ...outcomes,
    ],
    ['errors/body'],
  ),
  startedAt: '2026-11-23T10:00:00.000Z',
  reason: 'the key was accepted until request 9 and then refused',
  fixed: ['list-pets/four'],
};

const expected = 'expected at most 5 animals, received 6';
const entry = 'Seen | by #1 (expired after 2020-01-31)';
const counts =
  '1 passed, 4 failed in 2 findings, 1 known, 4 not tested, 1 not applicable, 1 fault of the suite. Recommendations: 0 met, 1 not met (9 requests, 1 animal added, 1.2 s)';
const verdict =
  'http://store.example/v1 does not conform: 2 findings, 6 of 11 required clauses tested. Known failures: 1. Read-only: POST /pets was not tested. Deadline: 1 not tested. Only: list-pets';

test('a known failure has no annotation on GitHub, and each reason why clauses were not tested has one notice', () => {
  const also = `list-pets/two: ${expected}%0A  list-pets/three: ${expected}`;
  expect(reporters.github?.print(long, {})).toBe(`::error title=the run ended early::${long.reason}
::error title=The sentence of list-pets/expired.::list-pets/expired: ${expected}. Known: ${entry}
::error title=The sentence of list-pets/one.::list-pets/one: ${expected}: trimmed%0Afirst%0Asecond%0Aalso: 2 clauses with the same evidence%0A  ${also}
::warning title=The sentence of list-pets/advice.::list-pets/advice: ${expected}
::error title=The sentence of list-pets/nine.::list-pets/nine: fault of the suite: Error: x%0A    at y
::notice title=Not tested%3A 2 clauses::it adds animals%0Alist-pets/five, list-pets/six
::notice title=Not tested%3A 1 clause::it was late%0Alist-pets/seven
::notice title=Not applicable%3A 1 clause::too few animals%0Alist-pets/eight
${verdict}
${counts}
The run ended early: ${long.reason}
Fixed, remove from --known: list-pets/four
`);
});

test('a run without a verdict has a reason, and no clause of it is called fixed', () => {
  const [verdict, ...lines] = print({}, { ...long, verdict: 'no verdict' })
    .trimEnd()
    .split('\n')
    .slice(-2);
  expect([verdict, lines]).toEqual([`http://store.example/v1 has no verdict: ${long.reason}`, [counts]]);
});

/** A failure whose texts have characters that Markdown, HTML and the commands of GitHub take for their own. */
const special = createResult('list-pets/special', {
  verdict: 'failed',
  clause: { ...clause, id: 'list-pets/special', sentence: '100 % of a, b: <i> & c' },
  failures: [
    {
      kind: 'status',
      expected: 200,
      operation: 'GET /pets',
      side: 'list',
      status: 500,
      said: `| *x* \`y\` & <b> https://a.example/b_c?d=1&e ${'z'.repeat(200)}`,
    },
  ],
});

test('what a deployment says stays text in Markdown, in one cell of at most 200 characters', () => {
  const printed = reporters.markdown?.print(createReport([special]), {}) ?? '';
  const row = printed.split('\n').find((line) => line.startsWith('| ✗'));
  expect(row).toBe(
    [
      '| ✗ | 100 % of a, b: \\<i\\> &amp; c<br>`list-pets/special` | 200 ',
      '| 500: "\\| \\*x\\* \\`y\\` &amp; \\<b\\> https://a.example/b_c?d=1&amp;e ',
      `${'z'.repeat(150)}… |`,
    ].join(''),
  );
});

test('a title on GitHub keeps its commas and colons, which would end it', () => {
  const [line = ''] = reporters.github?.print(createReport([special]), {}).split('\n') ?? [];
  expect(line.slice(0, line.indexOf('z'))).toBe(
    '::error title=100 %25 of a%2C b%3A <i> & c::list-pets/special: expected 200, received 500: "| *x* `y` & <b> https://a.example/b_c?d=1&e ',
  );
});

test('a table in Markdown has the first ten findings, and known failures with their reason', () => {
  const many = Array.from({ length: 8 }, (_, at) => createResult(`get-pet/${at}`, failure));
  const shown = many
    .slice(0, 7)
    .map(({ clause }) => `| ✗ | ${clause.sentence}<br>\`${clause.id}\` | at most 5 animals | 6 |`);
  const printed = reporters.markdown?.print(
    { ...long, outcomes: [...many.slice(0, 7), ...long.outcomes, ...many.slice(7)] },
    {},
  );
  const [, table = ''] = printed?.split('| --- | --- | --- | --- |\n') ?? [];
  expect(table.split('\n').slice(0, 12)).toEqual([
    ...shown,
    '| ✗ | The sentence of list-pets/expired.<br>`list-pets/expired`<br>Seen \\| by \\#1 (expired after 2020-01-31) | at most 5 animals | 6 |',
    '| ✗ | The sentence of list-pets/one.<br>`list-pets/one`<br>and 2 with the same evidence | at most 5 animals | 6 |',
    `| ✗ | The sentence of get-pet/7.<br>\`get-pet/7\` | at most 5 animals | 6 |`,
    '',
    'and 2 more',
  ]);
  expect(reporters.markdown?.print(long, {})).toBe(`**✗ ${verdict}**

| | Finding | Expected | Received |
| --- | --- | --- | --- |
| ✗ | The sentence of list-pets/expired.<br>\`list-pets/expired\`<br>Seen \\| by \\#1 (expired after 2020-01-31) | at most 5 animals | 6 |
| ✗ | The sentence of list-pets/one.<br>\`list-pets/one\`<br>and 2 with the same evidence | at most 5 animals | 6 |
| known | The sentence of list-pets/known.<br>\`list-pets/known\`<br>Seen by Ann (until 2030-01-31, https://t.example/1) | at most 5 animals | 6 |
| ! | The sentence of list-pets/advice.<br>\`list-pets/advice\` | at most 5 animals | 6 |

${counts}

The run ended early: ${long.reason}

Fixed, remove from --known: list-pets/four
`);
});

test('JUnit fails for what fails the run: a known failure and a clause that was not tested are skipped', () => {
  const start = (name: string) =>
    `    <testcase classname="GET /pets" name="list-pets/${name}: The sentence of list-pets/${name}." time="0.001"`;
  expect(reporters.junit?.print(long, {})).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="conformance of http://store.example/v1" tests="11" failures="4" errors="2" time="1.234">
  <testsuite name="the run" tests="1" failures="0" errors="1" skipped="0" timestamp="2026-11-23T10:00:00">
    <testcase classname="the run" name="does not conform">
      <error message="${long.reason}"/>
    </testcase>
  </testsuite>
  <testsuite name="GET /pets" tests="10" failures="4" errors="1" skipped="4" timestamp="2026-11-23T10:00:00">
${start('known')}>
      <skipped message="known: Seen by Ann (until 2030-01-31, https://t.example/1)"/>
    </testcase>
${start('expired')}>
      <failure message="${expected}. Known: ${entry}">${expected}. Known: ${entry}</failure>
    </testcase>
${start('one')}>
      <failure message="${expected}: trimmed">${expected}: trimmed

first
second

GET http://store.example/v1/pets?limit=5
Authorization: Bearer [key]

HTTP 200

[]</failure>
    </testcase>
${start('two')}>
      <failure message="same evidence as list-pets/one: ${expected}">same evidence as list-pets/one: ${expected}</failure>
    </testcase>
${start('three')}>
      <failure message="same evidence as list-pets/one: ${expected}">same evidence as list-pets/one: ${expected}</failure>
    </testcase>
${start('four')}/>
${start('five')}>
      <skipped message="it adds animals"/>
    </testcase>
${start('six')}>
      <skipped message="it adds animals"/>
    </testcase>
${start('seven')}>
      <skipped message="it was late"/>
    </testcase>
${start('nine')}>
      <error message="Error: x
    at y"/>
    </testcase>
    <system-out>recommendation not met: list-pets/advice: The sentence of list-pets/advice.: ${expected}
not applicable: list-pets/eight: The sentence of list-pets/eight.: too few animals</system-out>
  </testsuite>
</testsuites>
`);
});

test('the HTML report has known failures, faults of the suite, clauses left out and the cost, and sends nothing', () => {
  const options = { allowsWrites: false } as Report['options'];
  const sent = (status: number) => exchange(`GET http://store.example/v1/pets/${status}`, status, 1);
  const evidence = sent(500);
  const many = createResult('get-pet/many', {
    ...failure,
    requests: 5,
    evidence,
    more: [sent(201), sent(404)],
  });
  const all = { ...long, outcomes: [...long.outcomes, many], added: ['7', '-8'], options };
  const page = reporters.html?.print(all, {}) ?? '';
  const [, faults = ''] = /<h2>Faults of the suite<.*?(<article.*?<\/article>)/s.exec(page) ?? [];
  expect(faults).toContain('<pre>Error: x\n    at y</pre>');
  expect(page).toMatch(/Excluded by --only.*?<code>errors\/body<\/code>/s);
  expect(page).toContain("base-uri 'none'; form-action 'none'");
  expect(page).toContain('<p>Known: Seen by Ann (until 2030-01-31, https://t.example/1)</p>');
  const [, finding = ''] = page.split('<article class="item finding" id="get-pet/many">');
  const outcomes = finding.matchAll(/<code>GET \/pets\/\d+<\/code> → <span class="(\w+)">(\d+)/g);
  expect(Array.from(outcomes, ([, look, status]) => `${status} ${look}`)).toEqual([
    '500 fail',
    '201 pass',
    '404 warn',
  ]);
  expect(page).toContain('<dt>Mode</dt><dd>read-only</dd>');
  // Short lists are unfolded.
  expect(page).toContain(
    '<details class="also" open>\n<summary>Also 2 clauses, with the same evidence</summary>',
  );
  expect(page).toContain('<details class="group" open><summary><span>it adds animals</span>');
  expect(page).toContain('<details class="group"><summary><span>too few animals</span>');
  // The ids of the animals that the run has added, and the clause with the most requests first.
  expect(page).toContain('<dd><details><summary>1</summary>7, -8</details></dd>');
  const [, costs = ''] = page.split('<tbody>');
  expect(costs.match(/<tr.*<\/tr>/)?.[0]).toMatch(
    /<code>get-pet\/many<\/code><\/th><td>5<\/td><td>1<\/td><td>1 ms<\/td>/,
  );
  expect(page).toContain('<time datetime="2026-11-23T10:00:00.000Z">2026-11-23 10:00:00 UTC</time>');
});
