import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { CreateAnswer } from '../../contract-tests/deployments/deployment.ts';
import { startForTest } from '../../contract-tests/testing/run-suite.ts';
import { runToEnd } from '../../contract-tests/testing/run-to-end.ts';
import { connectMock } from '../../mock/client/connect-mock.ts';
import { openWorkerPage } from '../../mock/testing/open-worker-page.ts';
import { inBrowser, openPage } from './browser.ts';
import { listen } from './listen.ts';
import { runCli, startCli, startMockCli } from './run-cli.ts';

// What the three tools promise to their users, as they meet it: in processes, over sockets and in a browser. Who reads only this file
// knows what the product does. The tests next to the programs have the details.

const root = join(import.meta.dirname, '../..');
const key = { Authorization: 'Bearer test-key' };
const environment = { ANIMAL_STORE_API_KEY: 'test-key' };
/** The mock starts its checked proxy, as it does for users. */
const withProxy = { ANIMAL_STORE_NO_CHECKED_PROXY: '' };
const binOf = (product: string) => join(root, product, 'bin.js');

/** Runs a program of the machine. @returns what it prints on stdout */
const run = async (file: string, ...args: string[]) => (await promisify(execFile)(file, args)).stdout;

/** Sends a request with curl. @returns the status and the JSON of the body */
async function curl(...args: string[]): Promise<[status: number, body: unknown]> {
  const [body = '', status] = (await run('curl', '-s', '-w', '\n%{http_code}', ...args)).split('\n');
  return [Number(status), JSON.parse(body)];
}

const withKey = ['-H', 'Authorization: Bearer test-key'];

/** Returns the outputs that the README shows, with any port. */
function readOutputs(): string[] {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const [, quickStart = ''] = readme.split('## Quick start\n');
  return [...quickStart.matchAll(/```text\n(.*?)```/gs)].map(([, text = '']) => withoutPorts(text));
}

const withoutPorts = (text: string) => text.replaceAll(/(?<=127\.0\.0\.1:)\d+/g, '…');

test('1. the quick start of the README prints what the README says', async () => {
  const [started = '', listed = ''] = readOutputs();
  const args = ['--port', '0', '--log', 'silent'];
  const { waitFor } = startCli(args, { environment: withProxy });
  const printed = await waitFor(/\nchecked proxy listening on .*\n/);
  expect(withoutPorts(printed)).toBe(started);
  const [, url = ''] = /listening on (\S+)/.exec(printed) ?? [];
  expect(await run('curl', '-s', ...withKey, `${url}/pets?limit=2`)).toBe(listed.trimEnd());
});

test('2. the mock lists, adds and finds animals, refuses what is wrong, and requires the key', async () => {
  const { url } = await startMockCli();
  const json = ['-H', 'Content-Type: application/json'];
  const rex = { name: 'Rex', categoryId: 7 };
  const [created, added] = await curl(...withKey, ...json, '-d', JSON.stringify(rex), `${url}/pets`);
  expect([created, added]).toEqual([201, { id: expect.any(Number), ...rex }]);
  const { id } = added as { readonly id: number };
  expect(await curl(...withKey, `${url}/pets/${id}`)).toEqual([200, { id, ...rex }]);
  expect(await curl(...withKey, `${url}/pets?limit=1`)).toEqual([200, [{ id, ...rex }]]);
  const [, sold] = await curl(...withKey, `${url}/pets?status=sold`);
  expect(new Set((sold as { status: string }[]).map(({ status }) => status))).toEqual(new Set(['sold']));
  const refused = (status: number) => [
    status,
    { code: expect.any(String), message: expect.any(String), status },
  ];
  expect(await curl(...withKey, `${url}/pets?limit=101`)).toEqual(refused(400));
  expect(await curl(...withKey, ...json, '-d', '{"name":7}', `${url}/pets`)).toEqual(refused(400));
  expect(await curl(...withKey, `${url}/pets/0`)).toEqual(refused(404));
  expect(await curl(`${url}/pets`)).toEqual(refused(401));
});

test('3. the proxy names a wrong request and a wrong response, and alters no byte of either', async () => {
  const wrong = '[ {"id":"1" , "name":"Rex","categoryId":9007199254740993.0} ]\n';
  const upstream = createServer(({ rawHeaders }, response) => {
    const odd = rawHeaders.filter((_, index) => /^x-/i.test(rawHeaders[index & ~1] ?? ''));
    response.writeHead(200, ['X-seen', odd.join(' '), 'content-TYPE', 'application/json']).end(wrong);
  });
  const args = [`${await listen(upstream)}/v1`, '--port', '0'];
  const { child, ended, waitFor } = startCli(args, { bin: binOf('proxy') });
  const [, url = ''] = /listening on (\S+)\n/.exec(await waitFor(/listening on .*\n/)) ?? [];
  const response = await run('curl', '-si', ...withKey, '-H', 'X-oDD: A  b', `${url}/pets?limit=500`);
  const [head, ...body] = response.split('\r\n\r\n');
  expect(head).toContain('\r\nX-seen: X-oDD A  b\r\ncontent-TYPE: application/json');
  expect(body.join()).toBe(wrong);
  child.kill('SIGTERM');
  const { stdout } = await ended;
  expect(stdout).toMatch(/1 +error +listPets +request\.query\.limit +maximum +"500"/);
  expect(stdout).toMatch(/1 +error +listPets +response\.body\.\*\.id +type +"1"/);
});

test('4. a test run whose app breaks the contract fails, although all its tests pass', async () => {
  const app = `await fetch(process.env.ANIMAL_STORE_URL + '/pets?limit=101', { headers: ${JSON.stringify(key)} })`;
  const command = [process.execPath, '--input-type=module', '--eval', app];
  const args = ['--port', '0', '--fail-on', 'error', '--', ...command];
  const { exitCode, stdout } = await runCli(args, { environment: withProxy });
  expect([exitCode, stdout]).toEqual([
    1,
    expect.stringMatching(
      / request\.query\.limit +maximum .*\nFailed: violations found \(--fail-on error\)\.\n$/s,
    ),
  ]);
});

/** A service that leaves all sold animals out of its lists. */
const withoutSold: CreateAnswer = () => async (request, asMock) => {
  const reply = await asMock(request);
  const body = `${reply.body}`;
  const isList = reply.status === 200 && body.startsWith('[');
  return isList ? { ...reply, body: body.replaceAll(/,?\{[^{}]*"sold"\}/g, '').replace('[,', '[') } : reply;
};

test('5. the suite passes the mock, and fails a service that hides its sold animals, and says so', async () => {
  const { url } = await startMockCli(['--log', 'silent']);
  const verify = (base: string) =>
    runCli([base, '--allow-writes', '--settle', '200'], { bin: binOf('contract-tests'), environment });
  const base = await startForTest({ createAnswer: withoutSold });
  const [right, wrong] = await Promise.all([verify(url), verify(base)]);
  expect([right.exitCode, right.stdout]).toEqual([
    0,
    expect.stringMatching(/ conforms: (\d+) of \1 required clauses tested\n/),
  ]);
  expect([wrong.exitCode, wrong.stdout]).toEqual([
    1,
    expect.stringMatching(/^http.* does not conform: .*sold/s),
  ]);
});

test('6. Dredd and Vitest test any base URL, one after the other', async () => {
  const { url } = await startMockCli(['--log', 'silent']);
  // The variables of this run of Vitest would reach the other one.
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
  const variables = { PATH, HOME, NODE_COMPILE_CACHE, ...environment, ANIMAL_STORE_URL: url };
  const program = 'contract-tests/dredd/test-contract.ts';
  const { exitCode, printed } = await runToEnd(process.execPath, [program], variables);
  expect(exitCode).toBe(0);
  expect(printed).toContain('\ncomplete: 6 passing, 0 failing, 0 errors, 3 skipped, 9 total\n');
  expect(printed).toMatch(/\n +Tests +\d+ passed \| \d+ skipped/);
  expect(printed).toContain('\nDredd passed, the contract suite passed\n');
});

test('7. tests that run at the same time share a mock, and each has its own animals and faults', async () => {
  const { url } = await startMockCli();
  const mock = connectMock(url);
  const [one, other] = [mock.session('one'), mock.session('other')];
  await Promise.all([one.animals.replace([{ name: 'Rex', categoryId: 1 }]), other.animals.replace([])]);
  await one.faults.add({ status: 503, times: 1 });
  const list = async (base: string) => {
    const response = await fetch(`${base}/pets`, { headers: key });
    const body = await response.json();
    return [response.status, Array.isArray(body) && body.length];
  };
  expect(await Promise.all([list(one.url), list(other.url)])).toEqual([
    [503, false],
    [200, 0],
  ]);
  expect(await list(one.url)).toEqual([200, 1]);
});

inBrowser('8. a page has the mock in itself, without a server', async () => {
  const page = await openWorkerPage();
  const list = (headers: object) =>
    page.evaluate(
      `ask(['GET', '/v1/pets?limit=2', ${JSON.stringify(headers)}]).then(({ status }) => status)`,
    );
  expect([await list(key), await list({})]).toEqual([200, 401]);
  expect(await page.evaluate(`mock.requests().map(({ status }) => status)`)).toEqual([200, 401]);
});

test('9. a behaviour of a real service that breaks an app is found', async () => {
  const app = `const pets = await (await fetch(process.env.ANIMAL_STORE_URL + '/pets', {
    headers: { Authorization: 'Bearer ' + process.env.ANIMAL_STORE_API_KEY } })).json();
    if (pets[0].id < pets[1].id) throw new Error('The newest animal is not the first.');`;
  const command = [process.execPath, '--input-type=module', '--eval', app];
  const { exitCode, stdout } = await runCli(['--port', '0', '--try-behaviours', '--', ...command]);
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/\n {2}order: fails with .*oldest/);
  expect(stdout).toContain('The newest animal is not the first.');
});

inBrowser('10. the console shows what is wrong with a request, at its place', async () => {
  const started = await startMockCli([], { environment: withProxy });
  const printed = await started.waitFor(/\nchecked proxy listening on (\S+)\n/);
  const [, checked = ''] = /\nchecked proxy listening on (\S+)\n/.exec(printed) ?? [];
  const page = await openPage(new URL('/', started.url).href);
  await curl(...withKey, '-H', 'Content-Type: application/json', '-d', '{"name":7}', `${checked}/pets`);
  await page.getByRole('link', { name: /400.*POST/ }).click();
  await page.getByRole('heading', { name: '✗ 2 violations of the contract' }).waitFor();
  expect(await page.locator('.code mark').allTextContents()).toEqual(['{', '"name": 7']);
});
