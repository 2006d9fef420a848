import { expect, test } from 'vitest';
import { createSendRequest, type SendRequest } from '../client/send-request.ts';
import { runSuite } from '../runner/run.ts';
import { startForTest } from '../testing/run-cli.ts';
import { askInProcess, createTarget } from '../testing/run-in-process.ts';
import { withoutDredd } from '../testing/test-verdicts.ts';
import type { Behaviour, DeployedRequest } from './deployment.ts';

/** Removes the headers of the connection, which no clause reads. */
function sortHeaders(headers: Readonly<Record<string, string>> = {}) {
  const connection = /^(?:host|connection|content-length|keep-alive|user-agent)$/;
  return Object.entries(headers)
    .filter(([name]) => !connection.test(name))
    .sort();
}

/** Starts a deployment twice: one is asked over HTTP, one in the process. Records what arrives at either end of each. */
async function startBoth(behave: Behaviour) {
  let asked: DeployedRequest | undefined;
  const createBehaviour = (): Behaviour => (request, asMock) => {
    asked = request;
    return behave(request, asMock);
  };
  const target = createTarget({ runs: 1, baseUrl: await startForTest({ createBehaviour }) });
  const record = (send: SendRequest, arrived: string[]) => async (request: Parameters<SendRequest>[0]) => {
    const sent = await send(request);
    const { response, failure } = sent;
    const got = [asked?.method, asked?.path, `${asked?.query}`, sortHeaders(asked?.headers), asked?.body];
    const reply = [response?.status, sortHeaders(response?.headers), response?.body.toString('latin1')];
    arrived.push(JSON.stringify([got, reply, failure]));
    return sent;
  };
  const [overHttp, inProcess]: [string[], string[]] = [[], []];
  const sendOverHttp = record(createSendRequest(target), overHttp);
  const ask = record(await askInProcess({ createBehaviour }), inProcess);
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
