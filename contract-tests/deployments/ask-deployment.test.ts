import { expect, test } from 'vitest';
import { toRequest } from '../client/client.ts';
import { createSendRequest, type SendRequest } from '../client/send-request.ts';
import { resolveTarget } from '../client/target.ts';
import { runSuite } from '../runner/run.ts';
import { startForTest } from '../testing/run-cli.ts';
import { withoutDredd } from '../testing/test-verdicts.ts';
import { askDeployment } from './ask-deployment.ts';
import type { Behaviour, DeployedReply, DeployedRequest } from './deployment.ts';

/** Headers but those of the connection, which no clause reads. */
function printHeaders(headers: Readonly<Record<string, string>> = {}): string[] {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return lines
    .filter((line) => !/^(?:host|connection|content-length|keep-alive|user-agent):/.test(line))
    .sort();
}

/** Starts a deployment twice: what asks one over HTTP and one in the process, and what arrived at either end of each. */
async function startBoth(behave: Behaviour) {
  let asked: DeployedRequest | undefined;
  const createBehaviour = (): Behaviour => (request, asMock) => {
    asked = request;
    return behave(request, asMock);
  };
  const target = resolveTarget({
    apiKey: 'test-key',
    allowsWrites: true,
    runs: 1,
    baseUrl: await startForTest({ createBehaviour }),
  });
  const record =
    (send: SendRequest, arrived: string[]): SendRequest =>
    async (request) => {
      const sent = await send(request);
      const { response, failure } = sent;
      const got = [asked?.method, asked?.path, asked?.query, ...printHeaders(asked?.headers), asked?.body];
      const answer = [
        response?.status,
        ...printHeaders(response?.headers),
        response?.body.toString('latin1'),
      ];
      arrived.push([...got, ...answer, failure].join('\n'));
      return sent;
    };
  const [overHttp, inProcess]: [string[], string[]] = [[], []];
  const sendOverHttp = record(createSendRequest(target), overHttp);
  const ask = record(await askDeployment({ name: '', createBehaviour }), inProcess);
  // One after the other, so that both deployments have the same animals.
  let last: ReturnType<SendRequest> | undefined;
  const sendRequest: SendRequest = (request) => {
    last = Promise.resolve(last)
      .then(() => sendOverHttp(request))
      .then(() => ask(request));
    return last;
  };
  return { target, sendRequest, overHttp, inProcess };
}

test('what the suite asks in the process arrives, and is answered, as over HTTP', async () => {
  const { target, sendRequest, overHttp, inProcess } = await startBoth((request, asMock) => asMock(request));
  const { requests } = await runSuite(target, { only: withoutDredd, sendRequest });
  expect(inProcess).toHaveLength(requests);
  expect(inProcess.filter((text, index) => text !== overHttp[index])).toEqual([]);
});

const headers = { 'set-cookie': ['a=1', 'b=2'], 'x-empty': '', 'x-padded': ' x ' };

test.for<DeployedReply | 'drop' | Error>([
  { status: 200, headers, body: '"\u00e9"' },
  { status: 404, headers: {}, body: Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0xff]) },
  { status: 204, headers: {}, body: '' },
  'drop',
  new Error('of the deployment'),
])('in the process the reply %j arrives as over HTTP', async (reply) => {
  const { target, sendRequest, overHttp, inProcess } = await startBoth(async () => {
    if (reply instanceof Error) throw reply;
    return reply;
  });
  const odd = {
    method: 'POST',
    path: '/p?a=\u00e4 b?c&d',
    body: '"\ud800\u00e9"',
    headers: { 'X-A': ' x ' },
  };
  await sendRequest(toRequest(odd, target));
  expect(inProcess).toEqual(overHttp);
});
