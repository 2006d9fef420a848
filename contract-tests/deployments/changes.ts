import {
  type ExactJson,
  isJsonObject,
  type JsonObject,
  parseExactJson,
  printExactJson,
} from '../../common/exact-json.ts';
import type { Behaviour, DeployedReply, DeployedRequest } from './deployment.ts';

/** Creates a behaviour for one start. */
export type CreateBehaviour = () => Behaviour;

/** Picks requests. */
export type IsMeant = (request: DeployedRequest) => boolean;

/** Asks the mock. */
export type AsMock = Parameters<Behaviour>[1];

const KEY = 'test-key';

/** Whether it is GET /pets. */
export const isList: IsMeant = ({ method, path }) => method === 'GET' && path === '/pets';

/** Whether it is POST /pets. */
export const isCreation: IsMeant = ({ method, path }) => method === 'POST' && path === '/pets';

/** Whether it is GET /pets/{petId}. */
export const isFetch: IsMeant = ({ method, path }) => method === 'GET' && path.startsWith('/pets/');

/** Whether a creation has a body that is no JSON. */
export const isMalformed: IsMeant = (request) =>
  isCreation(request) && request.body !== '' && readJson(request.body) === undefined;

/** The JSON of a body, or undefined when it is none. */
export function readJson(body: string | Uint8Array): ExactJson | undefined {
  try {
    return parseExactJson(body);
  } catch {
    return undefined;
  }
}

/** The object that a request carries; an empty one when it carries none. */
export function sentBy({ body }: DeployedRequest): JsonObject {
  const value = readJson(body);
  return value !== undefined && isJsonObject(value) ? value : {};
}

/** A reply with a JSON body. */
export function createReply(status: number, value: ExactJson): DeployedReply {
  return { status, headers: { 'content-type': 'application/json' }, body: printExactJson(value) };
}

/** A reply with a lawful Error. */
export function createError(status: number): DeployedReply {
  return createReply(status, { code: 'refused', message: 'It is refused.', status: BigInt(status) });
}

/** Answers the requests that are meant otherwise than the mock. */
export function answerOtherwise(
  isMeant: IsMeant,
  answer: (request: DeployedRequest, asMock: AsMock) => ReturnType<Behaviour>,
): CreateBehaviour {
  return () => async (request, asMock) => (isMeant(request) ? answer(request, asMock) : asMock(request));
}

/** Gives one answer to all requests that are meant and have the right key. */
export function answerWith(isMeant: IsMeant, reply: DeployedReply | 'drop'): CreateBehaviour {
  return answerOtherwise(
    (request) => isMeant(request) && hasKey(request),
    async () => reply,
  );
}

/** Changes the requests that are meant before the mock gets them. */
export function changeRequest(
  isMeant: IsMeant,
  change: (request: DeployedRequest) => Partial<DeployedRequest>,
): CreateBehaviour {
  return answerOtherwise(isMeant, (request, asMock) => asMock({ ...request, ...change(request) }));
}

/** Changes parameters of the query of lists; null takes one away. */
export function changeQuery(
  change: (query: URLSearchParams) => Readonly<Record<string, string | null>>,
): CreateBehaviour {
  return changeRequest(isList, ({ query }) => ({ query: withParameters(query, change(query)) }));
}

/** The query with some parameters set, or taken away by null. */
export function withParameters(
  query: URLSearchParams,
  parameters: Readonly<Record<string, string | null>>,
): URLSearchParams {
  const changed = new URLSearchParams(query);
  for (const [name, value] of Object.entries(parameters)) {
    if (value === null) changed.delete(name);
    else changed.set(name, value);
  }
  return changed;
}

/** Changes the body of creations before the mock gets it. */
export function changeBody(change: (body: string) => string): CreateBehaviour {
  return changeRequest(isCreation, ({ body, headers }) => ({
    body: change(body),
    headers: { ...headers, 'content-length': 'as it is' },
  }));
}

/** Changes the object that creations carry before the mock gets it. */
export function changeSent(change: (sent: JsonObject) => JsonObject): CreateBehaviour {
  return changeBody((body) => {
    const sent = readJson(body);
    return sent !== undefined && isJsonObject(sent) ? printExactJson(change(sent)) : body;
  });
}

/** Changes the replies that the mock gives to the requests that are meant. */
export function changeReply(
  isMeant: (request: DeployedRequest, reply: DeployedReply) => boolean,
  change: (reply: DeployedReply, request: DeployedRequest) => Partial<DeployedReply>,
): CreateBehaviour {
  return () => async (request, asMock) => {
    const reply = await asMock(request);
    return isMeant(request, reply) ? { ...reply, ...change(reply, request) } : reply;
  };
}

/** Changes the JSON of successful replies to the requests that are meant. */
export function changeJson(
  isMeant: IsMeant,
  change: (value: ExactJson, request: DeployedRequest) => ExactJson,
): CreateBehaviour {
  return changeReply(
    (request, { status }) => isMeant(request) && status < 300,
    ({ body }, request) => ({ body: printExactJson(change(parseExactJson(body), request)) }),
  );
}

/** Changes the lists that are answered. */
export function changeList(
  change: (list: readonly JsonObject[], request: DeployedRequest) => ExactJson,
): CreateBehaviour {
  return changeJson(isList, (list, request) => change(list as readonly JsonObject[], request));
}

/** Changes each animal of the lists that are answered. */
export function changeListed(change: (animal: JsonObject, index: number) => ExactJson): CreateBehaviour {
  return changeList((list) => list.map(change));
}

/** Changes the animals that creations are answered with. */
export function changeCreated(
  change: (animal: JsonObject, request: DeployedRequest) => ExactJson,
): CreateBehaviour {
  return changeJson(isCreation, (animal, request) => change(animal as JsonObject, request));
}

/** Changes the animals that are answered by their id. */
export function changeFetched(
  change: (animal: JsonObject, request: DeployedRequest) => ExactJson,
): CreateBehaviour {
  return changeJson(isFetch, (animal, request) => change(animal as JsonObject, request));
}

/** Changes the Error of errors, of all or of those that are meant. */
export function changeError(
  change: (error: JsonObject) => ExactJson,
  isMeant: (request: DeployedRequest, reply: DeployedReply) => boolean = () => true,
): CreateBehaviour {
  return changeErrorReply(
    ({ body }) => ({ body: printExactJson(change(parseExactJson(body) as JsonObject)) }),
    isMeant,
  );
}

/** Changes the replies that are errors, all or those that are meant. */
export function changeErrorReply(
  change: (reply: DeployedReply) => Partial<DeployedReply>,
  isMeant: (request: DeployedRequest, reply: DeployedReply) => boolean = () => true,
): CreateBehaviour {
  return changeReply((request, reply) => reply.status >= 400 && isMeant(request, reply), change);
}

/** Lets some values of Authorization pass as though they held the key. */
export function acceptKey(
  isMeant: IsMeant,
  isAccepted: (authorization: string | undefined) => boolean,
): CreateBehaviour {
  return changeRequest(
    (request) => isMeant(request) && isAccepted(request.headers.authorization),
    ({ headers }) => ({ headers: { ...headers, authorization: `Bearer ${KEY}` } }),
  );
}

/** Whether a request carries the right key. */
export function hasKey({ headers }: DeployedRequest): boolean {
  return headers.authorization?.replace(/^bearer/i, 'Bearer') === `Bearer ${KEY}`;
}

/** An object without one of its members. */
export function without(value: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
}

/** An integer as it comes back from a double. */
export function asDouble(value: ExactJson | undefined): ExactJson {
  return typeof value === 'bigint' ? BigInt(Math.min(Number(value), 2 ** 63 - 1024)) : (value ?? null);
}

/** A reply in another media type, or in none. */
export function sendAs(type: string | undefined): (reply: DeployedReply) => Partial<DeployedReply> {
  return ({ headers: { 'content-type': _, ...others } }) => ({
    headers: type === undefined ? others : { ...others, 'content-type': type },
  });
}
