import { once } from 'node:events';
import { expect, test } from 'vitest';
import { fillLog, startMockCli } from '../testing/run-cli.ts';
import { startTestMock } from '../testing/start-test-mock.ts';

const environment = { ANIMAL_STORE_NO_CHECKED_PROXY: '' };
const checked = /\nchecked proxy listening on (\S+)\n/;
const headers = { Authorization: 'Bearer test-key' };

test('a checked proxy comes up beside the mock, which serves before, and ends with it', async () => {
  const { announcement, child, ended, url: mockUrl, waitFor } = await startMockCli([], { environment });
  expect(announcement).not.toMatch(checked);
  expect((await fetch(`${mockUrl}/pets`, { headers })).status).toBe(200);
  const [stdout, url = ''] = checked.exec(await waitFor(checked)) ?? [];
  expect(stdout).toBeDefined();
  expect(new URL(url).pathname).toBe('/v1');
  const answer = await fetch(`${url}/pets?limit=0`, { headers });
  expect([answer.status, answer.headers.has('sl-violations')]).toEqual([400, true]);
  const sent = { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' } };
  const body = '{"name":"Rex","categoryId":1,"staus":"sold"}';
  expect((await fetch(`${url}/pets`, { ...sent, body })).status).toBe(201);
  child.kill('SIGINT');
  const { stdout: all, stderr, exitCode } = await ended;
  expect([stderr, exitCode]).toEqual(['', 0]);
  expect(all).toMatch(/^\d\d:\d\d:\d\d proxy violation error listPets request.query.limit minimum: /m);
  const unknown = 'staus is not a member of the request body of createPet; did you mean status?';
  expect(all).toContain(`violation warning createPet request.body.staus unknown-member: ${unknown}`);
  expect(all).toContain('2 violations in 2 exchanges\n');
});

test('--checked-port chooses its port; one in use is told of, and the mock goes on', async () => {
  const other = await startTestMock();
  const { port } = new URL(other.url);
  const { child, ended, url } = await startMockCli(['--checked-port', port], { environment });
  let stderr = '';
  for await (const chunk of child.stderr) {
    stderr += chunk;
    if (stderr.endsWith('\n')) break;
  }
  expect(stderr).toBe(
    `animal-store-mock: the mock started without the checked proxy: Port ${port} of 127.0.0.1 is in use. ` +
      'Try --checked-port 0. --no-checked-proxy disables it.\n',
  );
  expect((await fetch(`${url}/pets`, { headers })).status).toBe(200);
  child.kill('SIGTERM');
  expect((await ended).exitCode).toBe(0);
});

test('a signal while it is still coming up ends both', async () => {
  const { child, ended } = await startMockCli([], { environment });
  child.kill('SIGTERM');
  const { stderr, exitCode } = await ended;
  expect([stderr, exitCode]).toEqual(['', 0]);
});

test.for(['alone', 'with a checked proxy'])('%s, it ends although nobody reads its log', async (kind) => {
  const options = kind === 'alone' ? undefined : { environment };
  const { child, url, waitFor } = await startMockCli([], options);
  const [, checkedUrl = url] = options ? (checked.exec(await waitFor(checked)) ?? []) : [];
  await fillLog(child, checkedUrl);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('--no-checked-proxy starts no checked proxy', async () => {
  const { child, ended } = await startMockCli(['--no-checked-proxy'], { environment });
  child.kill('SIGTERM');
  expect((await ended).stdout).not.toContain('checked proxy');
});

test('startMock starts one when asked', async () => {
  const mock = await startTestMock({ checkedProxy: true });
  const answer = await fetch(`${mock.checkedUrl}/pets?limit=0`, { headers });
  expect(answer.headers.has('sl-violations')).toBe(true);
  await mock.close();
  await expect(fetch(`${mock.checkedUrl}/pets`)).rejects.toThrow('fetch failed');
  expect((await startTestMock()).checkedUrl).toBeUndefined();
});

test('startMock whose checked proxy cannot listen starts nothing', async () => {
  const other = await startTestMock();
  const port = Number(new URL(other.url).port);
  await expect(startTestMock({ checkedPort: port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test('no line of the checked proxy holds the admin token or a key of the user, set at the start or later', async () => {
  const [key, token, later] = ['MyOwnKey99', 's3cr-token', 'LaterKey77'];
  const variables = { ...environment, ANIMAL_STORE_API_KEY: key, ANIMAL_STORE_ADMIN_TOKEN: token };
  const { child, ended, url: mockUrl, waitFor } = await startMockCli([], { environment: variables });
  const [, url = ''] = checked.exec(await waitFor(checked)) ?? [];
  const configured = await fetch(new URL('/__admin/settings', mockUrl), {
    method: 'PATCH',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ apiKeys: [key, later] }),
  });
  expect(configured.status).toBe(200);
  for (const secret of [key, token, later]) {
    await fetch(`${url}/pets/${secret}`);
    await fetch(`${url}/pets?limit=${secret}`);
  }
  child.kill('SIGINT');
  const { stdout, stderr } = await ended;
  expect(stdout).toContain('violation error getPet');
  for (const secret of [key, token, later]) expect(`${stdout}${stderr}`).not.toContain(secret);
});
