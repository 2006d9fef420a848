import {
  type ExactJson,
  type JsonObject,
  parseExactJson,
  printExactJson,
} from '../../common/json/exact-json.ts';
import type { DeployedReply } from './deployment.ts';

/** The animals of a reply that lists some. */
export function animalsOf({ body }: DeployedReply): readonly JsonObject[] {
  return parseExactJson(body) as readonly JsonObject[];
}

/** A reply with a JSON body. */
export function createReply(
  status: number,
  value: ExactJson,
  headers: DeployedReply['headers'] = {},
): DeployedReply {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: printExactJson(value),
  };
}

/** A reply with a valid Error. */
export function createError(status: number, headers: DeployedReply['headers'] = {}): DeployedReply {
  return createReply(status, { code: 'refused', message: 'It is refused.', status: BigInt(status) }, headers);
}

/** The page of a gateway. */
export function createPage(status: number, headers: DeployedReply['headers'] = {}): DeployedReply {
  return {
    status,
    headers: { 'content-type': 'text/html', ...headers },
    body: `<html><h1>${status}</h1></html>\r\n`,
  };
}

/** A reply without content. */
export function createEmpty(status: number, headers: DeployedReply['headers'] = {}): DeployedReply {
  return { status, headers, body: '' };
}

/** A reply in another media type, or in none, perhaps with another body. */
export function sendAs(type: string | undefined, body?: string) {
  return (reply: DeployedReply): Partial<DeployedReply> => {
    const { 'content-type': _, ...others } = reply.headers;
    const headers = type === undefined ? others : { ...others, 'content-type': type };
    return { headers, body: body ?? reply.body };
  };
}
