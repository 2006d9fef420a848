import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { createEntry, printHar, type RecordedRow } from '../testing/create-har.ts';
import { findSpellings, spellKey } from '../testing/key-spellings.ts';
import { startInTurn } from '../testing/run-in-turn.ts';

const bin = join(import.meta.dirname, 'bin.js');

const { run, stop } = startInTurn(join(import.meta.dirname, 'cli.ts'));
afterAll(stop);

/** A folder that goes with the test, and in it a HAR file of these entries. */
function writeHar(...rows: readonly RecordedRow[]) {
  const folder = mkdtempSync(join(tmpdir(), 'recorded-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'traffic.har');
  writeFileSync(file, printHar(rows.map(createEntry)));
  return { folder, file };
}

const check = (...args: readonly string[]) => run({ args: ['check', ...args] });

const bad = { url: 'https://api.example.com/v1/pets?limit=0' };
const image = { url: 'https://cdn.example.com/logo.png' };
const curl = `curl -H "Authorization: Bearer $ANIMAL_STORE_API_KEY" '${bad.url}'`;
const message = 'Request query parameter limit must be >= 1';
const place = { index: 2, startedDateTime: '2026-05-04T09:30:00.123Z', origin: 'https://api.example.com' };

test('it prints each violation with its entry, and all of them at the end', async () => {
  const { file } = writeHar({}, image, bad, { headers: {} }, { content: { text: undefined, size: 9 } });
  const { stdout, stderr, exitCode } = await check(file);
  expect([stderr, exitCode]).toEqual(['', 0]);
  expect(stdout.split('\n')).toEqual([
    `09:30:00 violation error listPets request.query.limit minimum: ${message} (1 so far; log.entries[2] GET /v1/pets?limit=0)`,
    `${file}: 5 entries; left out: 1 of other addresses`,
    'checked: https://api.example.com/v1',
    '1 body not in the file',
    '1 request without a key in the file, checked as if one was sent',
    '1 violation in 4 exchanges',
    '1 body could not be checked',
    '',
    'count  severity  operation  place                rule',
    '    1  error     listPets   request.query.limit  minimum',
    '       log.entries[2], 2026-05-04T09:30:00.123Z',
    `       ${curl}`,
    '',
  ]);
});

test.for([
  [[], 0],
  [['--fail-on', 'error'], 1],
  [['--fail-on', 'error', '--base-url', 'https://b.example/v1'], 0],
  [['--fail-on', 'response-error'], 0],
  [['--fail-on', 'request-error'], 1],
  [['--base-url', 'https://c.example/v1'], 2],
  [['--port', '1'], 2],
] as const)('with %j it ends with exit code %i', async ([args, expected]) => {
  const { file } = writeHar({ url: 'https://b.example/v1/pets' }, bad);
  expect((await check(file, ...args)).exitCode).toBe(expected);
});

test('a gate over requests without a response has no verdict', async () => {
  const { file } = writeHar({ status: 0 });
  const { stdout, exitCode } = await check(file, '--fail-on', 'error');
  expect([stdout, exitCode]).toEqual([
    expect.stringContaining('the gate (--fail-on error) has no verdict'),
    2,
  ]);
});

test.for([
  ['request-error', 0],
  ['request-warning', 0],
  ['response-error', 1],
  ['response-warning', 1],
])('with --fail-on %s a violation in a response ends it with %i', async ([failOn = '', expected]) => {
  const { folder, file } = writeHar({ answered: '{}' });
  const report = join(folder, 'report.xml');
  const { exitCode } = await check(file, '--fail-on', `${failOn}`, '--report', report);
  expect(exitCode).toBe(expected);
  expect(readFileSync(report, 'utf8')).toContain(`tests="1" failures="${expected}"`);
});

test('the reports are those of the proxy, with the entry of each violation', async () => {
  const { folder, file } = writeHar({}, image, bad);
  const [json, xml] = [join(folder, 'report.json'), join(folder, 'report.xml')];
  expect((await check(file, '--report', json, '--fail-on', 'error', '--log', 'silent')).exitCode).toBe(1);
  await check(file, '--report', xml, '--fail-on', 'error', '--log', 'silent');
  const violation = {
    operationId: 'listPets',
    severity: 'error',
    place: 'request.query.limit',
    rule: 'minimum',
  };
  expect(JSON.parse(readFileSync(json, 'utf8'))).toMatchObject({
    ...{ upstream: 'https://api.example.com/v1', passed: false, exchanges: 2, unjudgedBodies: 0 },
    recording: { file, entries: 3, otherAddresses: 1, bodiesNotRecorded: 0 },
    violations: [{ ...violation, message, count: 1, example: curl, recorded: place }],
  });
  const report = readFileSync(xml, 'utf8');
  expect(report).toContain(
    `name="recorded in ${file}, of https://api.example.com/v1" tests="1" failures="1"`,
  );
  expect(report).toContain('first in log.entries[2], 2026-05-04T09:30:00.123Z\ncurl');
});

test('a file is read from stdin', () => {
  const { file } = writeHar(bad);
  const args = ['-c', `"$0" "$1" check - --log silent < '${file}'`, process.execPath, bin];
  expect(String(execFileSync('sh', args))).toContain('stdin: 1 entry\n');
});

test.for([
  ['/nowhere.har', 'could not be read: ENOENT: no such file or directory'],
  [import.meta.dirname, 'could not be read: EISDIR: illegal operation on a directory, read'],
  [import.meta.filename, 'is not JSON: Unexpected "i" after 0 entries'],
] as const)('of %s it says in one line what is wrong', async ([file, reason]) => {
  const { stdout, stderr, exitCode } = await check(file);
  expect([stdout, stderr, exitCode]).toEqual(['', `animal-store-proxy: ${file} ${reason}\n`, 2]);
});

test('its output has no key and no control characters', async () => {
  const key = `s3cr/t?+"\\=%,&<'>hidden`;
  const headers = {
    Authorization: `Bearer ${key}`,
    'Content-Type': 'application/json',
    Cookie: `sid=${key}`,
  };
  const rows = Object.values(spellKey(key)).flatMap((spelling) => [
    { url: `https://api.example.com/v1/pets?limit=${encodeURI(spelling)}&status=${spelling}`, headers },
    { url: `https://api.example.com/v1/pets/${spelling}`, headers, status: 418 },
    {
      headers,
      sent: `{"name":1,"${spelling}":"${spelling}\x1b[2J"}`,
      entry: { startedDateTime: `\x1b]${key}` },
    },
    { headers, answerHeaders: { 'Content-Type': `text/${spelling}\x1b[2J\u202e` } },
  ]);
  const { folder, file } = writeHar(...rows);
  const report = join(folder, 'report.json');
  for (const log of ['pretty', 'json']) {
    const { stdout, stderr } = await check(file, '--log', log, '--report', report);
    const told = [stdout, stderr, readFileSync(report, 'utf8')].join('\n');
    expect(findSpellings(told, key)).toEqual([]);
    expect(told).toContain('[key]');
    expect(told).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
  }
});

test('--help of the proxy names it, and its own has its options', async () => {
  expect((await run({ args: ['--help'] })).stdout).toContain('animal-store-proxy check traffic.har');
  expect((await check('--help')).stdout).toContain('--base-url <url>');
  expect((await check()).stderr).toBe("animal-store-proxy: missing required argument 'file'\n");
});
