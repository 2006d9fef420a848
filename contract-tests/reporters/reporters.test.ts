import { createHash } from 'node:crypto';
import { PassThrough } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { stripVTControlCharacters } from 'node:util';
import { expect, test, vi } from 'vitest';
import { reasons } from '../rules/specification.ts';
import { conclude, type Report, type Result } from '../runner/report.ts';
import type { PrintOptions } from './parts.ts';
import { reporters } from './reporters.ts';

function createResult(id: string, others: Partial<Result>, heading = 'GET /pets'): Result {
  const clause = { id, heading, sentence: `The sentence of ${id}.`, level: 'required' as const };
  return {
    clause,
    compared: { responses: 1, lists: 0, animals: 0 },
    verdict: 'passed',
    ...others,
  };
}

const exchange = (line: string, status: number, at: number) => ({
  line: line.replace('http://store.example/v1', ''),
  request: `${line}\nAuthorization: Bearer [key]`,
  response: `HTTP ${status}\n\n[]`,
  status,
  shows: '',
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
} as const;
const failures = [{ ...count, operation: 'GET /pets', status: 200 }] as const;
const failure = { verdict: 'failed', failures } as const;

const withReason = (id: string, verdict: Result['verdict'], reason: string, cause?: Result['cause']) =>
  createResult(id, { verdict, reason, ...(cause && { cause }) });

/** Makes the clause of a result a recommendation. */
function recommend(result: Result): Result {
  return { ...result, clause: { ...result.clause, level: 'recommended' } };
}

const shown = { ...exchange('GET http://store.example/v1/pets?limit=5', 200, 112.34), listed: 6 };

const outcomes = [
  recommend(
    createResult('list-pets/advice', {
      ...failure,
      evidence: exchange('GET http://store.example/v1/pets/7', 404, 5),
    }),
  ),
  createResult('list-pets/one', {
    ...failure,
    suspected: { cause: 'trimmed' },
    before: [exchange('POST http://store.example/v1/pets', 201, 100)],
    evidence: { ...shown, traceId: '0af7', requestId: 'r-9' },
    script: 'first\nsecond',
  }),
  createResult('list-pets/two', { ...failure, follows: 'list-pets/one', evidence: shown }),
  createResult('list-pets/three', { ...failure, follows: 'list-pets/one' }),
  createResult('list-pets/four', {}),
  recommend(createResult('list-pets/met', {})),
  withReason('list-pets/five', 'not tested', 'it adds animals', 'read-only'),
  withReason('list-pets/six', 'not tested', 'it adds animals', 'read-only'),
  withReason('list-pets/seven', 'not tested', 'it was late', 'deadline'),
  withReason('list-pets/eight', 'not tested', 'the store has 3 animals', 'too little to compare'),
  recommend(withReason('list-pets/no-advice', 'not tested', 'it was late', 'deadline')),
  withReason('list-pets/nine', 'error', 'Error: x\n    at y'),
  recommend(withReason('list-pets/ten', 'error', 'Error: z')),
];

/** What to do where a report differs from its file in samples/. */
const RENEW = 'Renew the file and read the difference: npm run test:update';

/** A report of outcomes, with its verdict. */
const createReport = (outcomes: readonly Result[], leftOut: readonly string[] = []): Report => ({
  ...conclude({ outcomes, leftOut }),
  version: 3,
  suite: '1.2.3',
  contract: '1.0.0',
  node: '24.18.0',
  options: {
    allowsWrites: true,
    timeout: 10_000,
    deadline: 900_000,
    settle: 500,
    concurrency: 4,
    only: [],
  },
  baseUrl: 'http://store.example/v1',
  run: '3f9c51d2',
  startedAt: '2026-11-23T10:00:00.000Z',
  requests: 9,
  animalsAdded: 1,
  added: ['7'],
  ms: 1234,
  leftOut,
  outcomes,
});

const report = createReport(outcomes);

const print = (options: PrintOptions = {}, told = report) => reporters.terminal?.print(told, options) ?? '';

test('JUnit fails with --at-least and --strict, as the job does', () => {
  const one = createReport([]);
  const options = { ...one.options, atLeast: 33, strict: true } as const;
  const printed =
    reporters.junit?.print({ ...one, options, fixed: [{ clause: 'list-pets/four' }] }, {}) ?? '';
  expect(printed).toMatch(/<testsuites [^>]*failures="0" errors="2"/);
  expect(printed).toContain('--at-least 33: 0 required clauses were tested');
  expect(printed).toContain('--strict: 1 entry of --known is fixed');
});

test('an agent reads the verdict, then each finding as a line of JSON, then the rest', () => {
  const [verdict, ...lines] = reporters.agent?.print(report, {}).trimEnd().split('\n') ?? [];
  expect(verdict).toMatch(/^http:\/\/store\.example\/v1 does not conform: 1 finding, /);
  const objects = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
  expect(objects[0]).toEqual({
    kind: 'failure',
    clause: 'list-pets/one',
    sentence: 'The sentence of list-pets/one.',
    expected: 'at most 5 animals',
    received: '6',
    probably: 'trimmed',
    requests: ['POST /pets → 201', 'GET /pets?limit=5 → 200, 6 animals'],
    trace: 'trace 0af7, request id r-9',
    curl: 'first\nsecond',
    also: [
      { clause: 'list-pets/two', reason: expect.any(String), curl: shown.curl },
      { clause: 'list-pets/three', reason: expect.any(String) },
    ],
  });
  expect(objects.map(({ kind, clause }) => [kind, clause])).toEqual([
    ['failure', 'list-pets/one'],
    ['recommendation', 'list-pets/advice'],
    ['fault of the suite', 'list-pets/nine'],
    ['fault of the suite', 'list-pets/ten'],
  ]);
  expect(lines.filter((line) => !line.startsWith('{')).at(-1)).toContain('1 passed, 3 failed in 1 finding');
  const accepted = reporters.agent?.print(
    createReport([createResult('list-pets/known', { ...failure, known })]),
    {},
  );
  expect(JSON.parse(accepted?.split('\n')[1] ?? '')).toMatchObject({ kind: 'known failure', known });
});

test('the verdict comes first, then each finding once, then a line for what else there is to know', async () => {
  await expect(print(), RENEW).toMatchFileSnapshot('samples/terminal.txt');
});

const ESCAPE = '\x1b';

/** Writes the codes of colours as words in tags, such as `<red>`. */
function nameColours(text: string): string {
  const names: Readonly<Record<string, string>> = {
    1: 'bold',
    2: 'dim',
    31: 'red',
    32: 'green',
    33: 'yellow',
  };
  return text.replaceAll(RegExp(`${ESCAPE}\\[(\\d+)m`, 'g'), (_, code) =>
    code in names ? `<${names[code]}>` : '</>',
  );
}

test('a clause that fails for the same reason has its command, if that is not shown already', () => {
  const other = exchange('GET http://store.example/v1/pets/7', 404, 5);
  const [one, two, three] = [shown, shown, other].map((evidence, index) =>
    createResult(`list-pets/${index}`, {
      ...failure,
      evidence,
      ...(index > 0 && { follows: 'list-pets/0' }),
    }),
  ) as [Result, Result, Result];
  const values = 'expected at most 5 animals, received 6';
  expect(print({}, createReport([one, two, three]))).toContain(
    [
      `   also      list-pets/1: ${values}`,
      `   also      list-pets/2: ${values}`,
      '             curl GET http://store.example/v1/pets/7\n',
    ].join('\n'),
  );
});

test('on a terminal the verdict and each part of a finding have their colour', async () => {
  vi.stubEnv('FORCE_COLOR', '1');
  const found = createResult('list-pets/known', { ...failure, known });
  const stream = new PassThrough() as unknown as WriteStream;
  const told = createReport([...outcomes.slice(0, 5), found, ...outcomes.slice(9)]);
  const coloured = print({ isVerbose: true, stream }, told);
  const plain = print({ isVerbose: true }, told);
  vi.unstubAllEnvs();
  expect(plain).toBe(stripVTControlCharacters(coloured));
  await expect(nameColours(coloured), RENEW).toMatchFileSnapshot('samples/terminal-in-colours.txt');
});

const known = { reason: 'Seen by Ann', until: '2030-01-31', issue: 'https://t.example/1', isExpired: false };
const expired = { reason: 'Seen | by #1', isExpired: true, until: '2020-01-31' };

/** A run of three headings that ended early, with failures that are known, and one whose entry has expired. */
const long: Report = {
  ...createReport(
    [
      createResult('list-pets/known', { ...failure, known }),
      createResult('list-pets/expired', { ...failure, known: expired }),
      createResult('list-pets/old', { ...failure, known: { reason: 'By design', isExpired: false } }),
      ...outcomes,
      createResult('get-pet/one', {}, 'GET /pets/{petId}'),
    ],
    ['errors/body', 'list-pets/left'],
  ),
  reason: 'the key was accepted until request 9 and then refused',
  fixed: [
    { clause: 'list-pets/four' },
    { failure: { kind: 'status', operation: 'GET /pets', expected: 401, status: 500 } },
  ],
};

const counts =
  '2 passed, 4 failed in 2 findings, 2 known, 6 not tested, 2 faults of the suite. Recommendations: 1 met, 1 not met (9 requests, 1 animal added, 1.2 s)';

/** A run that could not begin. */
const untried: Report = { ...createReport([], ['errors/body']), reason: 'the deployment cannot be reached' };

test('every report but JSON says what was excused, and how long the service was out of reach', () => {
  const told: Report = {
    ...report,
    excused: { late: 14, 'changed by others': 3, 'told to wait': 1 },
    interrupted: { count: 49, statuses: [502, 503], ms: 8_120 },
  };
  const excused =
    '14 responses lagged behind, 3 showed a change by others, 1 asked the suite to wait, unless a finding explains it';
  const interrupted = '49 responses of 502 and 503 within 8.1 s';
  for (const name of ['terminal', 'github', 'markdown', 'html']) {
    const printed = reporters[name]?.print(told, {});
    expect(printed).toContain(`Excused: ${excused}`);
    expect(printed).toContain(`Interrupted: ${interrupted}`);
  }
  expect(reporters.junit?.print(told, {})).toContain(`
  <testsuite name="the run" tests="0" failures="0" errors="0" skipped="0" timestamp="2026-11-23T10:00:00">
    <properties>
      <property name="excused" value="${excused}"/>
      <property name="interrupted" value="${interrupted}"/>
    </properties>
  </testsuite>
`);
  const single = { excused: { late: 1 }, interrupted: { count: 1, statuses: [502], ms: 250 } };
  const passed = report.outcomes.filter(({ verdict }) => verdict === 'passed');
  const lines = print({}, { ...report, outcomes: passed, ...single }).split('\n');
  expect(lines).toContain('Excused: 1 response lagged behind');
  expect(lines).toContain('Interrupted: 1 response of 502 within 0.3 s');
});

test('a finding says how often it was seen, and that an earlier run has added its animal', () => {
  const found = createResult('list-pets/one', {
    ...failure,
    evidence: shown,
    times: { wrong: 4, of: 11 },
    ofEarlierRun: true,
  });
  const told = createReport([found]);
  expect(print({}, told)).toContain(`
   received  6, in 4 of 11 responses
   The animal was added by an earlier run of this suite
`);
  for (const name of ['github', 'markdown', 'junit', 'json'])
    expect(reporters[name]?.print(told, {})).toContain('6, in 4 of 11 responses');
  expect(reporters.html?.print(told, {})).toContain('<dd><mark>6</mark>, in 4 of 11 responses</dd>');
  for (const name of ['github', 'markdown', 'html', 'junit'])
    expect(reporters[name]?.print(told, {})).toContain(
      'The animal was added by an earlier run of this suite',
    );
  const once = createReport([{ ...found, times: { wrong: 1, of: 1 } }]);
  expect(print({}, once)).toContain('\n   received  6\n');
});

test('a known failure has no annotation on GitHub, and each reason why clauses were not tested has one notice', async () => {
  await expect(reporters.github?.print(long, {}), RENEW).toMatchFileSnapshot('samples/github.txt');
});

test('a run without a verdict has a reason, and no clause of it is called fixed', () => {
  const lines = print({}, { ...long, verdict: 'no verdict' })
    .trimEnd()
    .split('\n');
  expect([lines[0], lines.at(-1)]).toEqual([
    `http://store.example/v1 has no verdict: ${long.reason}`,
    counts,
  ]);
  expect(lines.join('\n')).not.toContain('Fixed');
});

test('a run without failures has no table in Markdown, and no case of the run in JUnit', async () => {
  const told = createReport([createResult('list-pets/one', {})]);
  const printed = ['markdown', 'junit'].map((name) => reporters[name]?.print(told, {}));
  await expect(printed.join('\n'), RENEW).toMatchFileSnapshot('samples/without-failures.txt');
});

/** A failure whose texts have characters that Markdown, HTML and the commands of GitHub take for their own. */
const special = createResult('list-pets/special', {
  verdict: 'failed',
  clause: {
    ...createResult('list-pets/special', {}).clause,
    sentence: '100 % of a, b: <i> & c',
  },
  failures: [
    {
      kind: 'status',
      expected: 200,
      operation: 'GET /pets',
      status: 500,
      said: `| *x* \`y\` & <b> \n http://a.example/b_c https://a.example/b_c?d=1&e ${'z'.repeat(200)}`,
    },
  ],
});

test('what a deployment says stays text in Markdown, in one cell of at most 200 characters', () => {
  const printed = reporters.markdown?.print(createReport([special]), {}) ?? '';
  const row = printed.split('\n').find((line) => line.startsWith('| ✗'));
  expect(row).toBe(
    [
      '| ✗ | 100 % of a, b: \\<i\\> &amp; c<br>`list-pets/special` | 200 ',
      '| 500: "\\| \\*x\\* \\`y\\` &amp; \\<b\\>&nbsp;&nbsp; http://a.example/b_c https://a.example/b_c?d=1&amp;e ',
      `${'z'.repeat(127)}… |`,
    ].join(''),
  );
});

test('a title on GitHub keeps its commas and colons, which would end it', () => {
  const [line = ''] = reporters.github?.print(createReport([special]), {}).split('\n') ?? [];
  expect(line.slice(0, line.indexOf('z'))).toBe(
    '::error title=100 %25 of a%2C b%3A <i> & c::list-pets/special: expected 200, received 500: "| *x* `y` & <b> %0A http://a.example/b_c https://a.example/b_c?d=1&e ',
  );
});

test('Markdown has the findings, known failures with their reason, and what an auditor asks for', async () => {
  await expect(reporters.markdown?.print(long, {}), RENEW).toMatchFileSnapshot('samples/markdown.txt');
});

test('JUnit fails for what fails the run: a known failure and a clause that was not tested are skipped', async () => {
  await expect(reporters.junit?.print(long, {}), RENEW).toMatchFileSnapshot('samples/junit.txt');
});

/** Separates the style and the script of a page from the rest. */
function takeApart(page: string) {
  const contents = ['style', 'script'].map(
    (tag) => RegExp(`<${tag}>(.*?)</${tag}>`, 's').exec(page)?.[1] ?? '',
  );
  const hashes = contents.map((text) => `sha256-${createHash('sha256').update(text).digest('base64')}`);
  const [style = '', script = ''] = contents;
  // mark-sentence.test.ts has the marks.
  const marked = /(?<=<section data-kind="specification"><h2>[^<]*<\/h2>).*?(?=<\/section>)/s;
  const rest = page
    .replace(style, () => '')
    .replace(script, () => '')
    .replace(marked, '…');
  return { style, script, hashes, rest };
}

const toPage = (told: Report) => takeApart(reporters.html?.print(told, {}) ?? '');

test('the HTML report has everything that a report may have, and sends nothing', async () => {
  const sent = (status: number) => exchange(`GET http://store.example/v1/pets/${status}`, status, 1);
  const many = createResult('get-pet/many', {
    ...failure,
    clause: { ...createResult('get-pet/many', {}).clause, quote: 'Returns "one" animal' },
    compared: { responses: 3, lists: 2, animals: 8 },
    evidence: sent(500),
    more: [sent(201), sent(404)],
  });
  const others = Array.from({ length: 11 }, (_, at) =>
    withReason(`post/${at}`, 'not tested', 'it has <many>', 'full store'),
  );
  const followers = Array.from({ length: 6 }, (_, at) =>
    createResult(`errors/${at}`, { ...failure, follows: 'get-pet/many' }),
  );
  const outcomes = [...long.outcomes, many, ...others, ...followers];
  const disturbed = { excused: { late: 2 }, interrupted: { count: 3, statuses: [502], ms: 900 } };
  const told = { ...long, ...disturbed, outcomes, added: ['7', '-8'] };
  const { rest, style, script, hashes } = toPage(told);
  const [ofStyle = '', ofScript = ''] = hashes;
  expect(rest).toContain(`style-src '${ofStyle}'; script-src '${ofScript}'`);
  for (const text of ['--', '.finding', '.tools']) expect(style).toContain(text);
  for (const text of ['theme', 'showMatches']) expect(script).toContain(text);
  const page = rest.replace(ofStyle, 'hash of the style').replace(ofScript, 'hash of the script');
  await expect(page, RENEW).toMatchFileSnapshot('html/sample-page.txt');
});

test('the HTML report says why a sentence cannot be tested, but not of those that introduce others', () => {
  const page = reporters.html?.print(report, {}) ?? '';
  const { introduces, ...others } = reasons;
  expect(Object.values(others).filter((reason) => !page.includes(`<small>${reason}</small>`))).toEqual([]);
  expect(page).not.toContain(introduces);
});

test('the HTML report of a read-only run without failures and of a run that could not begin', async () => {
  const options = { ...long.options, allowsWrites: false };
  const passed = createReport([createResult('list-pets/one', {})]);
  const pages = [{ ...passed, options, added: [], animalsAdded: 0 }, untried].map((told) => {
    const [, body = ''] = toPage(told).rest.split('<body>');
    return body;
  });
  await expect(pages.join('\n'), RENEW).toMatchFileSnapshot('html/sample-short-pages.txt');
});

test('the ids of added animals are a range where they are one, and a few of them otherwise', () => {
  const added = Array.from({ length: 12 }, (_, index) => `${141 + index}`);
  const printed = (ids: readonly string[]) =>
    print({}, { ...createReport([createResult('list-pets/one', {})]), added: ids });
  const line = 'Added by the run 3f9c51d2, as its User-Agent says: ';
  expect(printed(added.toReversed())).toContain(`\n${line}141 to 152`);
  expect(printed(['7', ...added])).toContain(
    `\n${line}7, 141, 142, 143, 144, 145, 146, 147, 148, 149 and 3 more`,
  );
  expect(printed([...added, 'x7'])).toContain(' and 3 more');
  expect(printed([])).not.toContain('Added by');
});
