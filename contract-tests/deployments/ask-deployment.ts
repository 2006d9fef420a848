import { setImmediate as nextTurn } from 'node:timers/promises';
import { joinHeaders, type SendRequest, toSent } from '../client/send-request.ts';
import { createAskMock } from './create-ask-mock.ts';
import type { Deployment } from './deployment.ts';

/** Creates what asks a deployment in this process: it gets and answers the same as over HTTP, in a third of the time. */
export async function askDeployment({ options, createBehaviour }: Deployment): Promise<SendRequest> {
  const askMock = await createAskMock(options);
  const behave = createBehaviour?.() ?? askMock;
  return async (request) => {
    const sent = toSent(request);
    const { method, body = '' } = request;
    const [path = '', ...query] = sent.path.split('?');
    const asked = {
      ...{ method, path, query: new URLSearchParams(query.join('?')) },
      headers: joinHeaders(sent.headers),
      body: method === 'GET' ? '' : body.toWellFormed(),
    };
    // Requests that are sent at once arrive one after the other.
    await nextTurn();
    const reply = await behave(asked, askMock).catch(() => 'drop' as const);
    if (reply === 'drop') return { response: undefined, failure: 'socket hang up' };
    const { status, headers } = reply;
    return {
      response: { status, headers: joinHeaders(headers), body: Buffer.from(reply.body) },
      failure: undefined,
    };
  };
}
