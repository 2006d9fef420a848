import {
  type ExactJson,
  type JsonObject,
  parseExactJson,
  printExactJson,
} from '../../common/json/exact-json.ts';
import type { DeployedReply } from './deployment.ts';

type Headers = DeployedReply['headers'];

/** The animals of a reply that lists some. */
export function animalsOf({ body }: DeployedReply): readonly JsonObject[] {
  return parseExactJson(body) as readonly JsonObject[];
}

/** The animal of a reply that has one. */
export function animalOf({ body }: DeployedReply): JsonObject {
  return parseExactJson(body) as JsonObject;
}

/** A reply with a JSON body. */
export function createReply(status: number, value: ExactJson, headers: Headers = {}): DeployedReply {
  const type = { 'content-type': 'application/json' };
  return { status, headers: { ...type, ...headers }, body: printExactJson(value) };
}

/** A reply with a valid Error. */
export function createError(status: number, headers: Headers = {}): DeployedReply {
  return createReply(status, { code: 'refused', message: 'It is refused.', status: BigInt(status) }, headers);
}

/** The page of a gateway. */
export function createPage(
  status: number,
  headers: Headers = {},
  body = `<html><h1>${status}</h1></html>\r\n`,
): DeployedReply {
  return { status, headers: { 'content-type': 'text/html', ...headers }, body };
}

/** A reply without content. */
export function createEmpty(status: number, headers: Headers = {}): DeployedReply {
  return { status, headers, body: '' };
}

/** Sends a reply in another media type, perhaps with another body. */
export function sendAs(type: string, body?: string) {
  return (reply: DeployedReply): Partial<DeployedReply> => ({
    headers: { ...reply.headers, 'content-type': type },
    body: body ?? reply.body,
  });
}
