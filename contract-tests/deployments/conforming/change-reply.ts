import { type ExactJson, parseExactJson, printExactJson } from '../../../common/exact-json.ts';
import type { Behaviour, DeployedReply, DeployedRequest } from '../deployment.ts';

/** Makes a behaviour that answers as the mock would, its answer being changed. */
export function changeReply(
  change: (reply: DeployedReply, request: DeployedRequest) => DeployedReply | Promise<DeployedReply>,
): () => Behaviour {
  return () => async (request, asMock) => change(await asMock(request), request);
}

/** Makes a behaviour that answers as the mock would, with its JSON printed in another way. */
export function printJson(print: (value: ExactJson, status: number) => string): () => Behaviour {
  return changeReply((reply) => ({ ...reply, body: print(parseReply(reply), reply.status) }));
}

/** Makes a behaviour that answers as the mock would, its JSON being changed. */
export function changeJson(change: (value: ExactJson, status: number) => ExactJson): () => Behaviour {
  return printJson((value, status) => printExactJson(change(value, status)));
}

/** Makes a behaviour that answers as the mock would, with more headers or other ones. */
export function changeHeaders(headers: DeployedReply['headers']): () => Behaviour {
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  return changeReply((reply) => {
    const kept = Object.entries(reply.headers).filter(([name]) => !names.has(name));
    return { ...reply, headers: { ...Object.fromEntries(kept), ...headers } };
  });
}

function parseReply({ body }: DeployedReply): ExactJson {
  return parseExactJson(body);
}
