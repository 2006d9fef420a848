import type { ExactJson, JsonObject } from '../../common/json/exact-json.ts';
import { parseExactJson, printExactJson } from '../../common/json/exact-json.ts';
import { always, type DeployedReply, type IsAnswered, type IsMeant } from './messages.ts';

export function answered(status: number, isMeant: IsMeant = always): IsAnswered {
  return (request, reply) => reply.status === status && isMeant(request);
}

export function animalOf({ body }: DeployedReply): JsonObject {
  return parseExactJson(body) as JsonObject;
}

type Headers = DeployedReply['headers'];

export function createReply(status: number, value: ExactJson, headers: Headers = {}): DeployedReply {
  const type = { 'content-type': 'application/json' };
  return { status, headers: { ...type, ...headers }, body: printExactJson(value) };
}

/** Creates a reply with a valid Error. */
export function createError(status: number, headers: Headers = {}): DeployedReply {
  return createReply(status, { code: 'refused', message: 'It is refused.', status: BigInt(status) }, headers);
}

/** Creates the page of a gateway. */
export function createPage(status: number, headers: Headers = {}, body = `<h1>${status}</h1>\r\n`) {
  return { status, headers: { 'content-type': 'text/html', ...headers }, body };
}

export function createEmpty(status: number, headers: Headers = {}): DeployedReply {
  return { status, headers, body: '' };
}

/** Changes the media type of a reply, and the body if there is another. */
export function sendAs(type: string, other?: string) {
  return ({ headers, body }: DeployedReply) => {
    return { headers: { ...headers, 'content-type': type }, body: other ?? body };
  };
}
