import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { HarRecorder } from '../../../common/har/har-recorder.ts';
import { Keys } from '../../../common/text/redact.ts';
import { createError } from '../../../contract-tests/deployments/replies.ts';
import { verifyDeployment } from '../../../contract-tests/index.ts';
import { reporters } from '../../../contract-tests/reporters/reporters.ts';
import { only } from '../../../contract-tests/testing/command-words.ts';
import { clauseIds, runCommand, startForTest } from '../../../contract-tests/testing/run-suite.ts';
import { checkRecording } from '../../../proxy/check-recording.ts';
import { printFindings, printMarkdown, printReport } from '../../../proxy/findings/print-run.ts';
import { type Findings, startCheckedProxy } from '../../../proxy/index.ts';
import { startUpstream } from '../../../proxy/testing/start-upstream.ts';
import { createFolder } from '../create-folder.ts';
import { createEntry, printHar } from '../create-har.ts';
import { exchangeRaw } from '../exchange-raw.ts';
import { findSpellings, spellKey } from '../key-spellings.ts';
import { startTestMock } from '../start-test-mock.ts';

/** What a product printed, wrote or returned, by the name of the output. */
type Outputs = Readonly<Record<string, string>>;

/** A spelling of a key, with a name that shows in an output that the spelling was there. */
type Marked = readonly [mark: string, spelling: string];

/** A key, and how the product knows it. */
interface Row {
  /** For the title of the test. */
  readonly how: string;
  readonly key: string;
  /** Headers of each request. */
  readonly headers: readonly string[];
  /** True if an option has the key. */
  readonly isConfigured: boolean;
}

const signs = `s3cr/t?+"\\=%,&<'>`;
const wide = 's3cr-Schlüssel-ключ-鍵';
const long = `s3cr-${'x'.repeat(60)}`;

const bearer = (key: string) => ['Authorization', `Bearer ${Buffer.from(key).toString('latin1')}`];
const another = ['Authorization', 'Bearer other'];

/** Lengths of the text before a key, so that an output that shows the beginning of a text would cut the key. */
const beforeInTargets = [70, 190];
const beforeInBodies = [70, 65_510];

const markSpellings = (key: string): Marked[] =>
  [...new Set(Object.values(spellKey(key)))].map((spelling, index) => [`x${index}x`, spelling]);

const pad = (length: number) => '.'.repeat(length);

/** Headers and targets are bytes. */
const toBytes = (text: string) => Buffer.from(text).toString('latin1');

/** Returns the headers whose names are these spellings, as far as a name may have their characters. Source: RFC 9110 section 5.6.2 */
const nameHeaders = (spellings: readonly string[]) =>
  spellings.filter((spelling) => /^[\w!#$%&'*+.^`|~-]+$/.test(spelling)).flatMap((name) => [name, 'named']);

/** Sends spellings in each place of a request, and one of them after other text. @returns the bodies of the responses */
async function sendSpellings(
  url: string,
  { key, headers }: Row,
  spellings = markSpellings(key),
  toTarget = toBytes,
): Promise<string[]> {
  const bodies: string[] = [];
  const exchange = async (method: string, target: string, added: readonly string[] = [], body?: string) => {
    const answer = await exchangeRaw(url, method, target, [...headers, ...added], body);
    bodies.push(answer.body.toString());
  };
  const json = ['Content-Type', 'application/json'];
  const sendInTarget = async (value: string, mark: string, added: readonly string[] = []) => {
    await exchange('GET', `/v1/pets?${mark}=${value}&limit=${value}`, added);
    await exchange('GET', `/v1/pets/${value}?${mark}`);
  };
  const sendInBody = (value: string, mark: string, name = 'categoryId') =>
    exchange('POST', `/v1/pets?${mark}`, json, `{"name":1,"${mark}":"${value}","${name}":1}`);
  for (const [mark, spelling] of spellings) {
    const written = toBytes(spelling);
    const named = nameHeaders([spelling, spelling.toLowerCase()]);
    await sendInTarget(toTarget(spelling), mark, ['X-Echo', written, ...named]);
    await sendInBody(spelling, mark, spelling);
    await exchange('POST', `/v1/pets?${mark}`, ['Content-Type', `text/${written}`], '{}');
  }
  for (const [mark, spelling] of spellings.slice(0, 1)) {
    for (const before of beforeInTargets.map(pad)) await sendInTarget(before + toTarget(spelling), mark);
    for (const before of beforeInBodies.map(pad)) await sendInBody(before + spelling, mark);
  }
  return bodies;
}

/** Prints findings in every way. */
function printAll(findings: Findings): Outputs {
  const [startedAt, endedAt] = [new Date(), new Date()];
  const subject = { upstream: 'http://127.0.0.1:9/v1', startedAt, endedAt, failOn: 'warning' } as const;
  return {
    findings: printFindings(findings, subject),
    'JSON report': printReport('report.json', findings, subject),
    'JUnit report': printReport('report.xml', findings, subject),
    summary: printMarkdown(findings, subject),
  };
}

/**
 * Starts a proxy whose upstream echoes a header, and puts what it gets into a member.
 * @param block adds the refusals. @param others have other keys, which are sent in one spelling
 */
async function useProxy(
  row: Row,
  log: 'pretty' | 'json',
  block: boolean,
  others: readonly Row[] = [],
): Promise<Outputs> {
  const upstream = await startUpstream((request, response) => {
    const echoed = String(request.headers['x-echo'] ?? 'json');
    request.resume();
    const headers = ['Content-Type', `application/${echoed}`, 'X-Echo', echoed, ...nameHeaders([echoed])];
    response.writeHead(200, `Invalid key ${echoed}`, headers);
    response.end(JSON.stringify([{ id: `${pad(70)}${Buffer.from(echoed, 'latin1')}` }]));
  });
  const logged: string[] = [];
  const reported: unknown[] = [];
  const file = join(createFolder(), 'traffic.har');
  // A file has a line break at its end.
  const configured = [row, ...others].flatMap(({ isConfigured, key }) => (isConfigured ? `${key}\n` : []));
  const recorder = new HarRecorder(file, { name: 'test', version: '1' });
  const proxy = await startCheckedProxy(
    {
      ...{ upstream, port: 0, log, block },
      apiKeys: configured.length > 0 ? ['another-key', ...configured] : [],
      write: (line) => void logged.push(line),
      onViolation: (...violation) => void reported.push(violation),
    },
    { recorder },
  );
  onTestFinished(proxy.close);
  const bodies = await sendSpellings(proxy.url, row);
  for (const other of others) {
    const spellings = markSpellings(other.key).slice(0, 1);
    bodies.push(...(await sendSpellings(proxy.url, other, spellings)));
  }
  recorder.end();
  const [, token] = /#token=(.+)$/.exec(`${proxy.consoleUrl}`) ?? [];
  const ask = async (path: string) => {
    const url = `${new URL(proxy.url).origin}/__console/__admin${path}`;
    return (await fetch(url, { headers: { Authorization: `Bearer ${token}` } })).text();
  };
  return {
    [`log as ${log}`]: logged.join(''),
    'violations of the library': JSON.stringify(reported),
    'findings of the library': JSON.stringify(proxy.readFindings().violations),
    'HAR file': readFileSync(file, 'utf8'),
    'requests of the console': await ask('/requests'),
    'violations of the console': await ask('/violations'),
    ...printAll(proxy.readFindings()),
    ...(block && { refusals: bodies.filter((text) => text.includes('_violation')).join('\n') }),
  };
}

/** Checks a HAR file that has the key. */
async function checkHar({ key, isConfigured }: Row, log: 'pretty' | 'json'): Promise<Outputs> {
  const pets = 'https://api.example.com/v1/pets';
  const headers = {
    Authorization: isConfigured ? 'Bearer other' : `Bearer ${key}`,
    'Content-Type': 'application/json',
  };
  const rows = markSpellings(key).flatMap(([mark, spelling]) => {
    // What follows a number sign is not sent.
    const inUrl = spelling.replaceAll('#', '%23');
    const inTargets = [0, ...beforeInTargets].map(pad).flatMap((before) => [
      { url: `${pets}?${mark}=${before}${inUrl}&limit=${before}${inUrl}`, headers },
      { url: `${pets}/${before}${inUrl}?${mark}`, headers, status: 418 },
    ]);
    return [
      ...inTargets,
      { url: `${pets}?${mark}`, headers, sent: `{"name":1,"${spelling}":"\x1b[2J"}` },
      { url: `${pets}?${mark}`, headers, answerHeaders: { 'Content-Type': `text/${spelling}\x1b[2J\u202e` } },
    ];
  });
  const file = join(createFolder({ 'traffic.har': printHar(rows.map(createEntry)) }), 'traffic.har');
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const { findings } = await checkRecording({ file, keys: new Keys(isConfigured ? [key] : []), log, write });
  return { [`log as ${log}`]: lines.join(''), ...printAll(findings) };
}

/** The Errors of the mock name a path or a value, which would end at these characters. */
const toValue = (spelling: string) => toBytes(spelling).replaceAll(/[#&?]/g, encodeURIComponent);

/** Starts a mock with its checked proxy, and returns what a program, the control API and the terminal show. */
async function useMock(row: Row, log: 'pretty' | 'json'): Promise<Outputs> {
  using write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const mock = await startTestMock({ log, checkedProxy: true, apiKeys: ['another-key'] });
  mock.configure({ apiKeys: [row.key] });
  await sendSpellings(`${mock.checkedUrl}`, row, undefined, toValue);
  const { origin } = new URL(mock.url);
  // An Error about a request that never came names the last one.
  await fetch(`${origin}/last/${encodeURIComponent(row.key)}`);
  const read = () => write.mock.calls.map(([text]) => text).join('');
  // A line is written when the connection has closed.
  await expect.poll(read).toContain('/last');
  const { message } = await mock.waitForRequest({ path: '/never', timeout: 1 }).catch((error) => error);
  const ask = async (path: string) => (await fetch(`${origin}/__admin${path}`)).text();
  const outputs = {
    'requests of the library': JSON.stringify(mock.requests()),
    'requests of the control API': await ask('/requests'),
    'violations of the library': JSON.stringify(mock.violations()),
    'violations of the control API': await ask('/violations'),
    'settings of the control API': await ask('/settings'),
    'an Error about a request': message,
  };
  // At its end the proxy prints its findings.
  await mock.close();
  return { ...outputs, [`log as ${log}`]: read() };
}

/** Runs the suite against a deployment that echoes every spelling. */
async function runSuite({ key }: Row): Promise<Outputs> {
  const echoed = markSpellings(key);
  const names = nameHeaders(echoed.map(([, spelling]) => spelling)).map((name) => [name, 'named']);
  const headers = Object.fromEntries([
    ...echoed.map(([mark, spelling]) => [mark, toBytes(spelling)]),
    ...names,
  ]);
  let count = 0;
  const url = await startForTest({
    createAnswer: () => async (request) => {
      // A service without any list or Error would get no verdict.
      if (request.headers.authorization === undefined) return createError(401);
      count += 1;
      const [, spelling = ''] = echoed[count % echoed.length] ?? [];
      // A message or a body is cut in the middle of a key.
      const body = `${pad(20 + (count % 90))}${spelling}`;
      return { status: 200, headers, body: `${body}${pad(1_990 - body.length)}${key}` };
    },
  });
  const folder = createFolder();
  const files = [...Object.keys(reporters), 'har'].map((name) => [name, join(folder, name)] as const);
  const choices = files.flatMap(([name, file]) =>
    name === 'har' ? ['--har', file] : ['--reporter', `${name}=${file}`],
  );
  const clauses = only('list-pets', 'get-pet', 'create-pet');
  const args = [url, '--allow-writes', ...choices, ...clauses];
  const { stdout, stderr } = await runCommand([...args, '--reporter', 'github'], key);
  const written = files.map(([name, file]) => [name, readFileSync(file, 'utf8')] as const);
  const given = { baseUrl: url, apiKey: key, allowWrites: false, settle: 100 };
  const { outcomes } = await verifyDeployment({
    ...given,
    only: clauseIds.filter((id) => id.startsWith('get-pet/')),
  });
  const library = JSON.stringify(outcomes);
  return { stdout, stderr, ...Object.fromEntries(written), 'outcomes of the library': library };
}

const rows = {
  bearer: { how: 'is sent with Bearer', key: signs, headers: bearer(signs), isConfigured: false },
  bare: {
    how: 'is sent bare',
    key: `${signs}0`,
    headers: ['Authorization', `${signs}0`],
    isConfigured: false,
  },
  oneOfTwo: {
    how: 'is one of two credentials',
    key: signs,
    headers: ['Authorization', `ApiKey ${signs}, Bearer other`],
    isConfigured: false,
  },
  otherHeader: {
    how: 'is in another header',
    key: `${signs}1`,
    headers: [...another, 'X-API-Key', `${signs}1`],
    isConfigured: false,
  },
  utf8: { how: 'is sent in UTF-8', key: wide, headers: bearer(wide), isConfigured: true },
  wide: { how: 'is not ASCII', key: wide, headers: another, isConfigured: true },
  long: { how: 'is long', key: long, headers: another, isConfigured: true },
  rightSigns: { how: 'has many signs', key: signs, headers: bearer(signs), isConfigured: true },
  rightLong: { how: 'is long', key: long, headers: bearer(long), isConfigured: true },
} satisfies Record<string, Row>;

/** Less than half a key is too much. In base64, a key begins in three ways. */
const beginnings = /s3cr|%73%33|\\u0073\\u0033|&#x73;&#x33|&#115;&#51|czNjc|MzY3|zM2Ny/i;

type Case = readonly [product: string, rows: readonly [Row, ...Row[]], use: () => Promise<Outputs>];

const { bare, bearer: withBearer, oneOfTwo, otherHeader, utf8, wide: notAscii, rightSigns, rightLong } = rows;

const cases: readonly Case[] = [
  ['the proxy', [withBearer], () => useProxy(withBearer, 'pretty', false)],
  ['the proxy', [rows.long], () => useProxy(rows.long, 'json', false)],
  [
    'the proxy with --block',
    [oneOfTwo, bare, otherHeader, utf8],
    () => useProxy(oneOfTwo, 'json', true, [bare, otherHeader, utf8]),
  ],
  ['the check of a HAR file', [withBearer], () => checkHar(withBearer, 'pretty')],
  ['the check of a HAR file', [notAscii], () => checkHar(notAscii, 'json')],
  // The mock and the suite take no other keys than a header has.
  ['the suite', [rightSigns], () => runSuite(rightSigns)],
  ['the mock', [rightSigns], () => useMock(rightSigns, 'pretty')],
  ['the mock with --log json', [rightLong], () => useMock(rightLong, 'json')],
];

/** The suite prints on stderr what it does, and a refusal of the proxy quotes nothing that was sent. */
const withoutKeys = ['stderr', 'refusals'];

const titled = cases.map((one) => [one[0], one[1].map(({ how }) => how).join(' or '), one] as const);

test.for(titled)('no output of %s has a spelling or a part of a key that %s', async ([, , [, rows, use]]) => {
  const outputs = await use();
  const found = Object.entries(outputs).map(([name, text]) => [
    name,
    rows.flatMap(({ key }) => findSpellings(text, key)),
    beginnings.exec(text)?.[0],
  ]);
  expect(found).toEqual(Object.keys(outputs).map((name) => [name, [], undefined]));
  // The key was there. Markdown has a backslash before each bracket.
  const without = Object.entries(outputs).filter(([, text]) => !/\[key\\?\]/.test(text));
  expect(without.map(([name]) => name)).toEqual(withoutKeys.filter((name) => name in outputs));
});
