import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { SuiteRequest } from '../client/exchange.ts';
import type { SendRequest } from '../client/send-request.ts';
import type { TargetOptions } from '../client/target.ts';
import type { Answer } from '../deployments/deployment.ts';
import { createReply } from '../deployments/replies.ts';
import { createTarget, startForTest } from '../testing/run-suite.ts';
import { Context, Run } from '../vocabulary/context.ts';
import { TRANSACTION_ID } from './create-hooks.ts';
import { startDreddEndpoint } from './start-dredd-endpoint.ts';

/** Starts the endpoint until the test has finished. */
async function start(options: Partial<TargetOptions> = {}, sendRequest?: SendRequest) {
  const onError = vi.fn();
  const run = new Run(createTarget(options), { sendRequest });
  const endpoint = await startDreddEndpoint(new Context(run), onError);
  onTestFinished(endpoint.close);
  return { ...endpoint, onError };
}

const identified = { [TRANSACTION_ID]: 'listPets 200' };

/** Keeps its requests, and answers with an empty list. */
function record() {
  const requests: SuiteRequest[] = [];
  const headers = { 'content-type': 'application/json' };
  const sendRequest: SendRequest = async (request) => {
    requests.push(request);
    return { response: { status: 200, headers, body: Buffer.from('[]') }, failure: undefined };
  };
  return { requests, sendRequest };
}

test('only who knows the random path and names a transaction can send requests with the key', async () => {
  const { requests, sendRequest } = record();
  const { url, relayed, onError } = await start({}, sendRequest);
  const { origin } = new URL(url);
  for (const path of [`${origin}/pets`, `${origin}/v1/pets`, `${url}x/pets`])
    await expect(fetch(path, { headers: identified })).rejects.toThrow('fetch failed');
  await expect(fetch(`${url}/pets`)).rejects.toThrow('fetch failed');
  expect([requests, [...relayed], onError.mock.calls]).toEqual([[], [], []]);
  expect(await (await fetch(`${url}/pets`, { headers: identified })).text()).toBe('[]');
  expect(requests).toHaveLength(1);
});

test('the deployment gets the headers of Dredd, the key of the target and the headers of the user', async () => {
  const { requests, sendRequest } = record();
  const headers = { 'X-Tenant': 'zoo', accept: 'application/vnd.zoo' };
  const { url, apiKey } = await start({ headers }, sendRequest);
  const sent = { ...identified, 'User-Agent': 'Dredd/14.1.0 (Linux)', Accept: 'application/json' };
  const authorization = { Authorization: `Bearer ${apiKey}` };
  await fetch(`${url}/pets?limit=0`, { headers: { ...sent, ...authorization } });
  await fetch(`${url}/pets`, { method: 'POST', headers: sent, body: '{}' });
  expect(requests).toMatchObject([
    { method: 'GET', path: '/pets?limit=0', body: undefined, isAuthorized: true },
    { method: 'POST', path: '/pets', body: '{}', isAuthorized: false },
  ]);
  const [get, post] = requests.map(({ headers: received }) =>
    Object.fromEntries(Object.entries(received).map(([name, value]) => [name.toLowerCase(), value])),
  );
  expect(get).toMatchObject({
    'x-tenant': 'zoo',
    accept: 'application/vnd.zoo',
    authorization: 'Bearer test-key',
  });
  expect(get?.['user-agent']).toMatch(/^animal-store-verify\/[\d.]+ \(run \w+\) Dredd\/14\.1\.0$/);
  expect(post).not.toHaveProperty('authorization');
  for (const own of ['host', 'connection', 'content-length', TRANSACTION_ID.toLowerCase()])
    expect([get, post].filter((one) => one !== undefined && own in one)).toEqual([]);
});

test('Dredd gets the status, the headers and the decoded bytes of the deployment', async () => {
  const text = '[ {"id":9007199254740993.50,"name":"\u00e9\ufffd"} ]\n';
  const createAnswer = (): Answer => async () => ({
    ...createReply(203, []),
    headers: { 'content-type': 'Application/JSON', 'content-encoding': 'gzip', 'x-request-id': 'r1' },
    body: gzipSync(text),
  });
  const { url } = await start({ baseUrl: await startForTest({ createAnswer }) });
  const response = await fetch(`${url}/pets`, { headers: identified });
  expect([response.status, await response.text()]).toEqual([203, text]);
  const headers = Object.fromEntries(response.headers);
  expect(headers).toMatchObject({ 'content-type': 'Application/JSON', 'x-request-id': 'r1' });
  expect(headers).not.toHaveProperty('content-encoding');
});
