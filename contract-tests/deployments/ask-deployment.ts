import { setImmediate as nextTurn } from 'node:timers/promises';
import { joinHeaders, type SendRequest, toSentHeaders, toSentPath } from '../core/send-request.ts';
import { createAskMock } from './create-ask-mock.ts';
import type { DeployedRequest, Deployment } from './deployment.ts';

/** Creates what asks a deployment in this process: it sees and answers the same as over HTTP, in a third of the time. */
export async function askDeployment({ options, createBehaviour }: Deployment): Promise<SendRequest> {
  const askMock = await createAskMock(options);
  const behave = createBehaviour?.() ?? askMock;
  return async (request) => {
    const [path = '', ...query] = toSentPath(request).split('?');
    const headers = Object.entries(toSentHeaders(request)).map(([name, value]) => [
      name.toLowerCase(),
      value.trim(),
    ]);
    const { method, body = '' } = request;
    const asked: DeployedRequest = {
      ...{ method, path, query: new URLSearchParams(query.join('?')) },
      headers: Object.fromEntries(headers),
      body: method === 'GET' ? '' : body.toWellFormed(),
    };
    // Requests that are sent at once arrive one after the other.
    await nextTurn();
    const reply = await behave(asked, askMock).catch(() => 'drop' as const);
    if (reply === 'drop') return { response: undefined, failure: 'socket hang up' };
    const { status } = reply;
    return {
      response: { status, headers: joinHeaders(reply.headers), body: Buffer.from(reply.body) },
      failure: undefined,
    };
  };
}
