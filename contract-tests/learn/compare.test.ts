import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ChoiceName, ChoiceValue } from '../../common/behaviour/choices.ts';
import { UsageError } from '../../common/cli/usage-error.ts';
import { type Learned, printLearned } from '../../common/learn/learn.ts';
import { createFolder } from '../../tools/testing/create-folder.ts';
import { learnedFile } from '../testing/learned-file.ts';
import { runCommand } from '../testing/run-suite.ts';
import { compare } from './compare.ts';

test.for<[ChoiceName, ChoiceValue, ChoiceValue, number]>([
  ['listDelay', 700, 650, 0],
  ['listDelay', 700, 1_200, 1],
  ['listDelay', 300, 0, 1],
  ['categories', 56, 'known', 0],
  ['categories', 'known', 56, 0],
  ['categories', 56, 12, 1],
  ['categories', 56, 'positive', 1],
])(
  'compare takes %s: %j and %j for a difference only if they cannot be of the same deployment',
  ([name, one, other, count]) => {
    const toFile = (value: ChoiceValue) =>
      JSON.stringify({ ...learnedFile, behaviour: { [name]: value }, observed: [name] });
    const folder = createFolder({ 'a.json': toFile(one), 'b.json': toFile(other) });
    const { text } = compare(join(folder, 'a.json'), join(folder, 'b.json'));
    expect(text).toContain(`${count} of 1 choices differ.`);
  },
);

test('compare lists what differs with the evidence of both, and apart what one side did not observe', async () => {
  const shown = (request: string, status: number) => [{ request, status, headers: [], animals: [] }];
  const common = {
    version: 1,
    behaviour: {},
    observed: ['limitAbove100', 'order'],
    unknown: {},
    undescribed: [],
    fingerprints: [],
  } as const;
  const staging: Learned = {
    ...common,
    mode: 'writes',
    observed: [...common.observed, 'ids'],
    evidence: { limitAbove100: shown('GET /pets?limit=101', 400) },
  };
  const production: Learned = {
    ...common,
    mode: 'read-only',
    behaviour: { limitAbove100: 'clamp' },
    unknown: { ids: 'the run was read-only' },
    evidence: { limitAbove100: shown('GET /pets?limit=101', 200) },
  };
  const folder = createFolder({
    'staging.json': printLearned(staging),
    'production.json': printLearned(production),
    'grouped.json': printLearned({ ...staging, undescribed: ['order'], unknown: { order: 'no value' } }),
    // It has nothing that differs, but knows less.
    'replica.json': printLearned({ ...production, behaviour: {}, evidence: staging.evidence }),
  });
  const files = [join(folder, 'staging.json'), join(folder, 'production.json')] as const;
  expect(compare(...files).text.split('\n')).toEqual([
    'limit above 100: staging refuses it with 400, production clamps it to 100',
    '  staging: GET /pets?limit=101 → 400',
    '  production: GET /pets?limit=101 → 200',
    'Not observed on one side:',
    '  ids, in production: the run was read-only',
    '1 of 2 choices differ.',
    '',
  ]);
  const grouped = join(folder, 'grouped.json');
  const text = 'No value describes either side, so they may differ:\n  order\n';
  expect(compare(grouped, grouped)).toMatchObject({ text: expect.stringContaining(text), hasDrift: false });
  const run = async (...args: string[]) => (await runCommand(['compare', ...args])).exitCode;
  expect([await run(...files), await run(...files, '--fail-on-drift')]).toEqual([0, 1]);
  for (const other of [files[0], join(folder, 'replica.json')])
    expect(await run(files[0], other, '--fail-on-drift')).toBe(0);
});

test('compare prints as drift what no value describes on one side, and what differs without a choice', async () => {
  const get = { status: 200, codes: [], headers: ['content-type'], members: ['id', 'nickname?'] };
  const before = {
    ...learnedFile,
    fingerprints: [
      { ...get, probes: ['GET /pets', 'GET /pets/{animal}'] },
      { ...get, status: 400, codes: ['bad'], probes: ['POST /pets, empty name', 'POST /pets, no body'] },
      { ...get, status: 404, codes: ['not_found'], probes: ['GET /pets/{word}'] },
    ],
  };
  const after = {
    ...learnedFile,
    observed: ['ids'],
    unknown: { order: 'no value describes what was observed' },
    undescribed: ['order'],
    fingerprints: [
      {
        ...get,
        headers: ['content-type', 'etag', 'vary?'],
        members: ['id'],
        probes: ['GET /pets', 'GET /pets/{animal}'],
      },
      { ...get, status: 409, codes: ['bad'], probes: ['POST /pets, empty name'] },
      { ...get, status: 404, codes: ['NOT_FOUND'], probes: ['GET /pets/{word}'] },
    ],
  };
  const write = (first: object, second: object) => {
    const folder = createFolder({ 'a.json': JSON.stringify(first), 'b.json': JSON.stringify(second) });
    return [join(folder, 'a.json'), join(folder, 'b.json')] as const;
  };
  const observed = ['ids', 'errorCodes'];
  const files = write(
    { ...before, observed: ['order', ...observed] },
    { ...after, behaviour: { errorCodes: 'upper' }, observed },
  );
  // The codes differ because of a choice.
  expect(compare(...files).text).toBe(`error codes: a sends not_found, b sends NOT_FOUND
  a: no single response
  b: no single response
Known on one side, and no value describes the other:
  order, in b: no value describes what was observed
Different, and no choice that both sides know describes it:
  header etag: a no, b yes
    GET /pets → 200; GET /pets/{animal} → 200
  status: a 400, b 409
    POST /pets, empty name
1 of 2 choices differ. Of 1 more, no value describes one side. Differences without a choice: 2.
`);
  const run = async (first: object, second: object) =>
    (await runCommand(['compare', ...write(first, second), '--fail-on-drift'])).exitCode;
  const undescribed = { ...learnedFile, observed: ['ids'], undescribed: ['order'] };
  expect(await run({ ...learnedFile, observed: ['ids', 'order'] }, undescribed)).toBe(1);
  expect(await run(before, { ...before, fingerprints: after.fingerprints })).toBe(1);
  expect(await run(before, { ...before, fingerprints: [] })).toBe(0);
});

test('compare names a code once: by the choice if both sides know the code for the status, or else by itself', () => {
  const toFile = (errorCodes: object | string, missing: string, invalid: string) => {
    const get = { headers: [], members: [] };
    const fingerprints = [
      { ...get, status: 404, codes: [missing], probes: ['GET /pets/{word}'] },
      { ...get, status: 400, codes: [invalid], probes: ['POST /pets, empty name'] },
    ];
    return JSON.stringify({
      ...learnedFile,
      behaviour: { errorCodes },
      observed: ['errorCodes'],
      fingerprints,
    });
  };
  const compareFiles = (first: string, second: string) => {
    const folder = createFolder({ 'a.json': first, 'b.json': second });
    return compare(join(folder, 'a.json'), join(folder, 'b.json')).text;
  };
  const usual = toFile('snake', 'not_found', 'invalid_request');
  const own = toFile({ 404: 'NO_PET', 400: 'BAD' }, 'NO_PET', 'BAD');
  expect(compareFiles(usual, own)).toBe(`error codes: a sends not_found, b sends BAD with 400, NO_PET with 404
  a: no single response
  b: no single response
1 of 1 choices differ.
`);
  const partly = toFile({ 404: 'NO_PET' }, 'NO_PET', 'EMPTY');
  expect(compareFiles(usual, partly)).toContain('code: a invalid_request, b EMPTY');
  expect(compareFiles(usual, partly)).toContain('Differences without a choice: 1.');
});

test.for<[content: string | object, why: string]>([
  ['', 'is no learned behaviour: it is not JSON (Unexpected end of JSON input)'],
  ['<html>', 'is no learned behaviour: it is not JSON (Unexpected token'],
  [Buffer.from([0x7b, 0xe9]), 'is no learned behaviour: it is not JSON (It is not UTF-8)'],
  ['null', 'is no learned behaviour: it must be an object, not null'],
  ['[]', 'is no learned behaviour: version is missing'],
  [{ behaviour: {} }, 'is no learned behaviour: version is missing'],
  [{ ...learnedFile, version: 2 }, 'version must be 1, not 2'],
  [{ ...learnedFile, observed: ['toString'] }, 'observed.0 must be the name of a choice, not "toString"'],
  [{ ...learnedFile, unknown: null }, 'unknown must be an object, not null'],
  [{ ...learnedFile, unknown: { ids: 5 } }, 'unknown.ids must be a text, not 5'],
  [{ ...learnedFile, undescribed: ['toString'] }, 'undescribed.0 must be the name of a choice'],
  [{ ...learnedFile, fingerprints: [{}] }, 'fingerprints.0.status is missing'],
  [{ ...learnedFile, evidence: { order: 5 } }, 'evidence.order must be an array of exchanges, not 5'],
  [{ ...learnedFile, evidence: { order: [null] } }, 'evidence.order.0 must be an exchange, not null'],
  [{ ...learnedFile, evidence: { order: [{}] } }, 'evidence.order.0.request is missing'],
  [
    { ...learnedFile, behaviour: { order: 1 } },
    'The behaviour: order must be newest, oldest, name or random',
  ],
])('compare says what is wrong with a file: %j', ([content, why]) => {
  const isText = typeof content === 'string' || Buffer.isBuffer(content);
  const folder = createFolder({
    'damaged.json': isText ? content : JSON.stringify(content),
    // Editors on Windows write a byte order mark.
    'staging.json': `\uFEFF${JSON.stringify(learnedFile)}`,
  });
  const damaged = join(folder, 'damaged.json');
  const staging = join(folder, 'staging.json');
  const readMessage = (first: string, second: string) => {
    try {
      return compare(first, second).text;
    } catch (error) {
      return error instanceof UsageError ? error.message : `${error}`;
    }
  };
  expect(compare(staging, staging).text).toBe('0 of 1 choices differ.\n');
  for (const message of [readMessage(damaged, staging), readMessage(staging, damaged)]) {
    expect(message.startsWith(`${damaged} `)).toBe(true);
    expect(message).toContain(why);
    expect(message).toMatch(/\. Write one with: animal-store-verify <url> --learn <file>$/);
  }
});

test('what the command compare prints cannot control a terminal', async () => {
  const write = (name: string, order: string) => {
    const shown = [{ request: 'GET /pets\x1b[2J', status: 200 }];
    const text = JSON.stringify({ ...learnedFile, behaviour: { order }, evidence: { order: shown } });
    return join(createFolder({ [name]: text }), name);
  };
  const files = [write('staging.json', 'oldest'), write('production.json', 'name')];
  const { exitCode, stdout } = await runCommand(['compare', ...files], '');
  expect([exitCode, stdout]).toEqual([
    0,
    `order: staging lists the oldest first, production sorts lists by name
  staging: GET /pets\\u001b[2J → 200
  production: GET /pets\\u001b[2J → 200
1 of 1 choices differ.
`,
  ]);
});

test('compare tells files of one name in two folders apart by their paths', () => {
  const write = (order: string) =>
    createFolder({ 'staging.json': JSON.stringify({ ...learnedFile, behaviour: { order } }) });
  const files = [write('oldest'), write('newest')].map((folder) => join(folder, 'staging.json')) as [
    string,
    string,
  ];
  const { text } = compare(...files);
  expect(text).toContain(`${files[0]} lists the oldest first, ${files[1]} lists the newest first\n`);
  expect(text).toContain(`  ${files[0]}: no single response\n`);
});

test('compare names in one line a file that cannot be read or has another form', async () => {
  const { folder, staging, missing, damaged } = createFiles();
  const hint = 'Write one with: animal-store-verify <url> --learn <file>';
  for (const [file, why] of [
    [missing, 'could not be read: ENOENT: no such file or directory'],
    [folder, 'could not be read: EISDIR: illegal operation on a directory, read'],
    [damaged, 'is no learned behaviour: evidence.order must be an array of exchanges, not 5'],
  ]) {
    const { stdout, stderr, exitCode } = await runCommand(['compare', staging, `${file}`]);
    expect([exitCode, stdout, stderr]).toEqual([2, '', `animal-store-verify: ${file} ${why}. ${hint}\n`]);
  }
});

function createFiles() {
  const folder = createFolder({
    'staging.json': JSON.stringify(learnedFile),
    'damaged.json': JSON.stringify({ ...learnedFile, evidence: { order: 5 } }),
  });
  const pathOf = (name: string) => join(folder, name);
  return {
    folder,
    staging: pathOf('staging.json'),
    missing: pathOf('missing.json'),
    damaged: pathOf('damaged.json'),
  };
}
