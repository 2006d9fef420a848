import { expect, test } from 'vitest';
import { clauses } from '../clauses/clauses.ts';
import { toRequest } from '../core/client.ts';
import { createSendRequest, type SendRequest } from '../core/send-request.ts';
import { resolveTarget } from '../core/target.ts';
import { runSuite } from '../run.ts';
import { startForTest } from '../testing/run-cli.ts';
import { askDeployment } from './ask-deployment.ts';
import type { Behaviour, DeployedReply, DeployedRequest } from './deployment.ts';

/** Headers of the connection, which no clause reads. */
const ofConnection = /^(?:host|connection|content-length|keep-alive):/;

function printHeaders(headers: Readonly<Record<string, string>> = {}): string[] {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return lines.filter((line) => !ofConnection.test(line)).sort();
}

/** Starts a deployment twice, and asks one over HTTP and one in the process. */
async function startBoth(behave: Behaviour) {
  const asked: DeployedRequest[] = [];
  const createBehaviour = (): Behaviour => (request, asMock) => {
    asked.push(request);
    return behave(request, asMock);
  };
  const baseUrl = await startForTest({ createBehaviour });
  const target = resolveTarget({ apiKey: 'test-key', runs: 1, baseUrl });
  /** What arrived at either end, by the way it went. */
  const arrived: Record<'overHttp' | 'inProcess', string[]> = { overHttp: [], inProcess: [] };
  const senders = {
    overHttp: createSendRequest(target),
    inProcess: await askDeployment({ name: 'is tried', breaks: [], createBehaviour }),
  };
  const ask = async (way: keyof typeof senders, request: Parameters<SendRequest>[0]) => {
    const sent = await senders[way](request);
    const { method, path, query, headers, body } = asked.at(-1) as DeployedRequest;
    const { response, failure } = sent;
    const got = [method, path, String(query), ...printHeaders(headers), body];
    const came = [response?.status, ...printHeaders(response?.headers), String(response?.body), failure];
    arrived[way].push([...got, ...came].join('\n'));
    return sent;
  };
  return {
    target,
    arrived,
    sendRequest: async (request: Parameters<SendRequest>[0]) => {
      await ask('overHttp', request);
      return ask('inProcess', request);
    },
  };
}

test('what the suite asks in the process arrives, and is answered, as over HTTP', async () => {
  const { target, arrived, sendRequest } = await startBoth((request, asMock) => asMock(request));
  // One after the other, so that both deployments have the same animals.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn: SendRequest = (request) => {
    const sent = last.then(() => sendRequest(request));
    last = sent;
    return sent;
  };
  const only = clauses.map(({ id }) => id).filter((id) => !/^(?:replay|quickstart)\//.test(id));
  const { requests } = await runSuite(target, { only, sendRequest: inTurn });
  expect(arrived.inProcess).toHaveLength(requests);
  expect(arrived.inProcess.filter((text, index) => text !== arrived.overHttp[index])).toEqual([]);
});

test.for<DeployedReply | 'drop' | Error>([
  {
    status: 200,
    headers: { 'set-cookie': ['a=1', 'b=2'], 'x-empty': '', 'x-padded': ' x ' },
    body: '"\u00e9"',
  },
  { status: 404, headers: {}, body: Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0xff]) },
  { status: 204, headers: {}, body: '' },
  'drop',
  new Error('of the deployment'),
])('in the process the reply %j arrives as over HTTP', async (reply) => {
  const { target, arrived, sendRequest } = await startBoth(async () => {
    if (reply instanceof Error) throw reply;
    return reply;
  });
  const headers = { 'X-Padded': ' x ' };
  await sendRequest(
    toRequest({ method: 'POST', path: '/p?a=\u00e4 b?c&d', body: '"\ud800\u00e9"', headers }, target),
  );
  expect(arrived.inProcess).toEqual(arrived.overHttp);
});
