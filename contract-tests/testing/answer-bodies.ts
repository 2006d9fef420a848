import type { Answer } from '../deployments/deployment.ts';
import { type DeployedRequest, isFetch } from '../deployments/messages.ts';

/** Returns whether Dredd has sent a request. */
export const isOfDredd = ({ headers }: DeployedRequest) => /\bDredd\//.test(headers['user-agent'] ?? '');

/** Replaces the bodies of some replies to Dredd, by method and status. Animals by their ids stay as they are. */
export function answerBodies(bodies: Readonly<Record<string, string | Buffer>>): Answer {
  return async (request, asMock) => {
    const reply = await asMock(request);
    const isOther = isFetch(request) && reply.status === 200;
    const body = isOther || !isOfDredd(request) ? undefined : bodies[`${request.method} ${reply.status}`];
    return body === undefined ? reply : { ...reply, body };
  };
}
