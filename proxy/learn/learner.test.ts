import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Difference } from '../../common/behaviour/choices.ts';
import type { Learned } from '../../common/learn/learn.ts';
import { callCommand } from '../../tools/testing/call-command.ts';
import { createFolder } from '../../tools/testing/create-folder.ts';
import { createEntry, printHar, type RecordedRow } from '../../tools/testing/create-har.ts';
import { startCli, startMockCli } from '../../tools/testing/run-cli.ts';
import { startTestMock } from '../../tools/testing/start-test-mock.ts';
import type { Exchange } from '../exchange.ts';
import { runProxy } from '../run-proxy.ts';
import { expectTrue } from '../testing/expect-traffic-learned.ts';
import { sendTraffic } from '../testing/send-traffic.ts';
import { startTestProxy } from '../testing/start-test-proxy.ts';
import { Learner } from './learner.ts';

const bin = join(import.meta.dirname, '../bin.js');
const behaviour: Difference = {
  order: 'oldest',
  statusWhenOmitted: 'pending',
  location: 'present',
  malformedId: 400,
};

const readLearned = (file: string): Learned => JSON.parse(readFileSync(file, 'utf8'));

/** How often each client sends something: enough for what the tests expect. More is sent in `drawn-traffic.test.ts`. */
const STEPS = 40;

/** What the command prints when it has learned. */
const printed =
  /\nlearned (\d+) of (\d+) choices from [\d,]+ exchanges: (\S+)\nunknown: (?:[a-z\d ]+,\s+)*[a-z\d ]+\nstart a mock like it: animal-store-mock --behaviour \S+\n$/;

test('the proxy writes what it learned when it ends, and a mock starts with the file', async () => {
  const { url: upstream } = await startTestMock({ behaviour });
  const file = join(createFolder({ 'learned.json': 'earlier' }), 'learned.json');
  const listening = /^checked proxy listening on (\S+)\n/;
  const { child, ended, waitFor } = startCli([upstream, '--port', '0', '--log', 'silent', '--learn', file], {
    bin,
  });
  const [, url = ''] = listening.exec(await waitFor(listening)) ?? [];
  await sendTraffic(url, 7, { steps: STEPS });
  child.kill('SIGTERM');
  const { stdout, stderr, exitCode } = await ended;
  expect([stderr, exitCode]).toEqual(['', 0]);
  expect(stdout).toContain(`learned behaviour: ${file}, written each minute and at the end\n`);
  const learned = readLearned(file);
  const [, known] = printed.exec(stdout) ?? [];
  expect(Number(known)).toBe(learned.observed.length);
  expectTrue(learned, behaviour);
  expect(learned).toMatchObject({ version: 1, mode: 'writes', behaviour });
  const { announcement } = await startMockCli(['--behaviour', file]);
  expect(announcement).toContain('choices are unknown');
});

test('the proxy learns while a command runs, and its exit code stays that of the gate', async () => {
  const { url: upstream } = await startTestMock({ behaviour });
  const file = join(createFolder(), 'learned.json');
  const get = (path: string) => `await fetch(process.env.ANIMAL_STORE_URL + '${path}', options);`;
  const program = `const options = { headers: { Authorization: 'Bearer test-key' } }; ${get('/pets')} ${get('/pets?limit=0')}`;
  const command = ['--', process.execPath, '--input-type=module', '-e', program];
  const options = ['--port', '0', '--learn', file, '--fail-on', 'error', ...command];
  const { exitCode } = await callCommand('animal-store-proxy', runProxy, [upstream, ...options]);
  expect(exitCode).toBe(1);
  expect(readLearned(file)).toMatchObject({
    mode: 'read-only',
    observed: expect.arrayContaining(['limitBelow1', 'charset']),
  });
});

function toRow({ request, response, startedAt = 0 }: Exchange): RecordedRow {
  return {
    url: `https://api.example.com${request.target}`,
    method: request.method,
    headers: request.headers,
    ...(request.body?.length && { sent: Buffer.from(request.body) }),
    status: response?.status ?? 0,
    answerHeaders: response?.headers ?? {},
    answered: Buffer.from(response?.body ?? ''),
    entry: { startedDateTime: new Date(startedAt).toJSON() },
  };
}

test('check learns the same from a recording of the traffic', async () => {
  const { url: upstream } = await startTestMock({ behaviour });
  const rows: RecordedRow[] = [];
  const { url } = await startTestProxy(upstream, {
    onExchange: (exchange) => {
      const time = Date.now() - (exchange.startedAt ?? 0);
      const row = toRow(exchange);
      rows.push({ ...row, entry: { ...row.entry, time } });
    },
  });
  await sendTraffic(url, 7, { steps: STEPS });
  const folder = createFolder({ 'traffic.har': printHar(rows.map(createEntry)) });
  const [har, file] = [join(folder, 'traffic.har'), join(folder, 'learned.json')];
  const args = ['check', har, '--log', 'silent', '--learn', file];
  const { stdout, stderr, exitCode } = await callCommand('animal-store-proxy', runProxy, args);
  expect([stderr, exitCode]).toEqual(['', 0]);
  expect(stdout).toMatch(printed);
  const learned = readLearned(file);
  expect(expectTrue(learned, behaviour).length).toBeGreaterThan(14);
  expect(learned.behaviour).toEqual(behaviour);
});

test('a recording without times shows nothing that depends on them', async () => {
  const animal = { name: 'Rexi 1', categoryId: 1 };
  const entry = { startedDateTime: '', time: -1 };
  const rows: RecordedRow[] = [31, 32].map((id) => ({
    sent: JSON.stringify(animal),
    status: 201,
    answered: JSON.stringify({ ...animal, id }),
    entry,
  }));
  const folder = createFolder({ 'traffic.har': printHar(rows.map(createEntry)) });
  const file = join(folder, 'learned.json');
  const args = ['check', join(folder, 'traffic.har'), '--log', 'silent', '--learn', file];
  await callCommand('animal-store-proxy', runProxy, args);
  const { observed } = readLearned(file);
  expect(observed).toContain('location');
  expect(observed).not.toContain('uniqueNames');
});

test('a file that cannot be written, and traffic that shows nothing, are reported', async () => {
  const entry = createEntry({
    status: 401,
    answered: '{"code":"unauthorized","message":"No key.","status":401}',
    answerHeaders: {},
  });
  const folder = createFolder({ 'traffic.har': printHar([entry]), 'learned.json': 'earlier' });
  const check = (file: string) => {
    const args = ['check', join(folder, 'traffic.har'), '--log', 'silent', '--learn', file];
    return callCommand('animal-store-proxy', runProxy, args);
  };
  const unwritable = await check(join(folder, 'missing/learned.json'));
  expect(unwritable.stderr).toMatch(/--learn: \S+ could not be written/);
  expect(unwritable.exitCode).toBe(2);
  const file = join(folder, 'learned.json');
  const { stdout, exitCode } = await check(file);
  expect(stdout).toContain(`learned nothing from 0 exchanges; ${file} was not written\n`);
  expect(exitCode).toBe(0);
  expect(readFileSync(file, 'utf8')).toBe('earlier');
});

test('a proxy that is killed has written what it had learned', async () => {
  const file = join(createFolder(), 'learned.json');
  const learner = new Learner(file, 10);
  const { url: upstream } = await startTestMock();
  const { url } = await startTestProxy(upstream, { onExchange: (exchange) => learner.add(exchange, 1, 1) });
  await fetch(`${url}/pets`, { headers: { Authorization: 'Bearer test-key' } });
  await expect.poll(() => existsSync(file)).toBe(true);
  expect(readLearned(file).observed).toContain('charset');
  learner.end();
});
