import { unescape as decode } from 'node:querystring';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import {
  type ExactJson,
  isJsonObject,
  type JsonObject,
  parseExactJson,
  printExactJson,
} from '../../common/exact-json.ts';
import type { Behaviour, CreateBehaviour, DeployedReply, DeployedRequest } from './deployment.ts';

/** Picks requests. */
export type IsMeant = (request: DeployedRequest) => boolean;

/** Picks requests by what the mock answers. */
export type IsAnswered = (request: DeployedRequest, reply: DeployedReply) => boolean;

const KEY = 'Bearer test-key';

/** Whether it is GET /pets. */
export const isList: IsMeant = ({ method, path }) => method === 'GET' && path === '/pets';

/** Whether it is POST /pets. */
export const isCreation: IsMeant = ({ method, path }) => method === 'POST' && path === '/pets';

/** Whether it is GET /pets/{petId}. */
export const isFetch: IsMeant = ({ method, path }) => method === 'GET' && path.startsWith('/pets/');

/** Whether a creation has a body that is not JSON. */
export const isMalformed: IsMeant = (request) =>
  isCreation(request) && request.body !== '' && readJson(request.body) === undefined;

/** Picks lists by limit and status, each the first of its name or null. */
export function isListOf(isWanted: (limit: string | null, status: string | null) => boolean): IsMeant {
  return (request) => isList(request) && isWanted(request.query.get('limit'), request.query.get('status'));
}

/** Picks lists that have these parameters, perhaps beside others. */
export function isListWith(parameters: Parameters): IsMeant {
  const wanted = Object.entries(parameters);
  return (request) => isList(request) && wanted.every(([name, value]) => request.query.get(name) === value);
}

/** Picks what the mock answers with a status. */
export function answered(status: number, isMeant: IsMeant = () => true): IsAnswered {
  return (request, reply) => reply.status === status && isMeant(request);
}

/** Whether a request carries the right key. */
export function hasKey({ headers }: DeployedRequest): boolean {
  return headers.authorization?.replace(/^bearer/i, 'Bearer') === KEY;
}

/** The request, with the right key. */
export function withKey(request: DeployedRequest): DeployedRequest {
  return { ...request, headers: { ...request.headers, authorization: KEY } };
}

/** The id that a request asks for, as text. */
export function idOf({ path }: DeployedRequest): string {
  return decode(path.slice('/pets/'.length));
}

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

/** Whether an object has what a NewPet needs. */
export function isNewPet({ name, categoryId }: JsonObject): boolean {
  return typeof name === 'string' && typeof categoryId === 'bigint';
}

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

/** A reply without content. */
export function createEmpty(status: number, headers: DeployedReply['headers'] = {}): DeployedReply {
  return { status, headers, body: '' };
}

/** A reply in another media type, or in none. */
export function sendAs(type: string | undefined, body?: string) {
  return (reply: DeployedReply): Partial<DeployedReply> => {
    const { 'content-type': _, ...others } = reply.headers;
    return {
      headers: type === undefined ? others : { ...others, 'content-type': type },
      body: body ?? reply.body,
    };
  };
}

/** Answers the requests that are meant otherwise than the mock. */
export function answerOtherwise(isMeant: IsMeant, answer: Behaviour): CreateBehaviour {
  return () => async (request, asMock) => (isMeant(request) ? answer(request, asMock) : asMock(request));
}

/** Gives one answer to all requests that are meant and have the right key. */
export function answerWith(isMeant: IsMeant, reply: DeployedReply | 'drop'): CreateBehaviour {
  return answerOtherwise(
    (request) => isMeant(request) && hasKey(request),
    async () => reply,
  );
}

/** Answers the requests that are meant with an Error, when they have the right key. */
export function refuse(isMeant: IsMeant, status = 400): CreateBehaviour {
  return answerWith(isMeant, createError(status));
}

/** Changes the requests that are meant before the mock gets them. */
export function changeRequest(
  isMeant: IsMeant,
  change: (request: DeployedRequest) => Partial<DeployedRequest>,
): CreateBehaviour {
  return answerOtherwise(isMeant, (request, asMock) => asMock({ ...request, ...change(request) }));
}

/** Tests a value of Authorization; a missing one is an empty text. */
export type Accepted = { readonly test: (authorization: string) => boolean };

/** Lets the requests that are meant pass with other values of Authorization. */
export function acceptKey(isMeant: IsMeant, accepted: Accepted): CreateBehaviour {
  const isAccepted: IsMeant = ({ headers }) => accepted.test(headers.authorization ?? '');
  return changeRequest((request) => isMeant(request) && isAccepted(request), withKey);
}

/** Parameters to set in a query; null takes one away. */
export type Parameters = Readonly<Record<string, string | null>>;

/** Changes parameters of lists. */
export function changeQuery(
  change: (limit: string | null, status: string | null, query: URLSearchParams) => Parameters,
): CreateBehaviour {
  return changeRequest(isList, ({ query }) => ({
    query: withParameters(query, change(query.get('limit'), query.get('status'), query)),
  }));
}

/** The query with some parameters changed. */
export function withParameters(query: URLSearchParams, parameters: Parameters): URLSearchParams {
  const changed = new URLSearchParams(query);
  for (const [name, value] of Object.entries(parameters)) {
    if (value === null) changed.delete(name);
    else changed.set(name, value);
  }
  return changed;
}

/** Looks for another id than the one that was asked for. */
export function changeId(change: (id: string) => string): CreateBehaviour {
  return changeRequest(isFetch, (request) => ({
    path: `/pets/${encodeURIComponent(change(idOf(request)))}`,
  }));
}

/** Changes the body of creations before the mock gets it. */
export function changeBody(change: (body: string) => string): CreateBehaviour {
  return changeRequest(isCreation, ({ body }) => ({ body: change(body) }));
}

/** Changes the object that creations carry before the mock gets it. */
export function changeSent(change: (sent: JsonObject) => JsonObject): CreateBehaviour {
  return changeBody((body) => {
    const sent = readJson(body);
    return sent !== undefined && isJsonObject(sent) ? printExactJson(change(sent)) : body;
  });
}

/** Changes the replies of the mock that are meant. */
export function changeReply(
  isMeant: IsAnswered,
  change: (reply: DeployedReply, request: DeployedRequest) => Partial<DeployedReply>,
): CreateBehaviour {
  return () => async (request, asMock) => {
    const reply = await asMock(request);
    return isMeant(request, reply) ? { ...reply, ...change(reply, request) } : reply;
  };
}

/** Changes every reply of the mock. */
export function changeReplies(
  change: (reply: DeployedReply, request: DeployedRequest) => Partial<DeployedReply>,
): CreateBehaviour {
  return changeReply(() => true, change);
}

/** Adds headers to every reply, by lower-case name. */
export function changeHeaders(headers: DeployedReply['headers']): CreateBehaviour {
  return changeReplies((reply) => ({ headers: { ...reply.headers, ...headers } }));
}

/** Changes the JSON of successful replies to the requests that are meant. */
export function changeJson<T extends ExactJson>(
  isMeant: IsMeant,
  change: (value: T, request: DeployedRequest) => ExactJson,
): CreateBehaviour {
  return changeReply(
    (request, { status }) => isMeant(request) && status < 300,
    ({ body }, request) => ({ body: printExactJson(change(parseExactJson(body) as T, request)) }),
  );
}

/** Changes an animal, or what stands in its place. */
export type ChangeAnimal = (animal: JsonObject, request: DeployedRequest) => ExactJson;

/** Changes the lists that are answered. */
export function changeList(
  change: (list: readonly JsonObject[], request: DeployedRequest) => ExactJson,
): CreateBehaviour {
  return changeJson(isList, change);
}

/** Changes each animal of the lists that are answered. */
export function changeListed(change: ChangeAnimal): CreateBehaviour {
  return changeList((list, request) => list.map((animal) => change(animal, request)));
}

/** Changes the animals that creations are answered with. */
export function changeCreated(change: ChangeAnimal): CreateBehaviour {
  return changeJson(isCreation, change);
}

/** Changes the animals that are answered by their id. */
export function changeFetched(change: ChangeAnimal): CreateBehaviour {
  return changeJson(isFetch, change);
}

/** Changes the replies that are errors, all or those that are meant. */
export function changeErrorReply(
  change: (reply: DeployedReply) => Partial<DeployedReply>,
  isMeant: IsAnswered = () => true,
): CreateBehaviour {
  return changeReply((request, reply) => reply.status >= 400 && isMeant(request, reply), change);
}

/** Changes the Error of errors, of all or of those that are meant. */
export function changeError(change: (error: JsonObject) => ExactJson, isMeant?: IsAnswered): CreateBehaviour {
  return changeErrorReply(
    ({ body }) => ({ body: printExactJson(change(parseExactJson(body) as JsonObject)) }),
    isMeant,
  );
}

/** Sets members of an object. */
export function set(members: JsonObject) {
  return (value: JsonObject): JsonObject => ({ ...value, ...members });
}

/** Takes a member away from an object. */
export function drop(name: string) {
  return (value: JsonObject): JsonObject => without(value, name);
}

/** Makes a member of an object a string. */
export function asText(name: string) {
  return (value: JsonObject): JsonObject => ({ ...value, [name]: String(value[name]) });
}

/** An object without one of its members. */
export function without<T>(value: Readonly<Record<string, T>>, name: string): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
}

/** An integer as it comes back from a double. */
export function asDouble(value: ExactJson | undefined): ExactJson {
  return typeof value === 'bigint' ? BigInt(Math.min(Number(value), 2 ** 63 - 1024)) : (value ?? null);
}

/**
 * Creates what waits for requests that come at once: each call waits for the next one. A call that stays alone goes on
 * when all that was sent by then has been read, however slow the machine is.
 */
export function createMeeting(): () => Promise<void> {
  let waiting: PromiseWithResolvers<void> | undefined;
  return async () => {
    const other = waiting;
    waiting = undefined;
    if (other !== undefined) return other.resolve();
    const own = Promise.withResolvers<void>();
    waiting = own;
    await Promise.race([own.promise, settle()]);
    if (waiting === own) waiting = undefined;
  };
}

/** The client is in this process: after a timer, which a busy loop may delay, some turns of the loop read all it has sent. */
async function settle(): Promise<void> {
  await delay(5);
  for (let turn = 0; turn < 10; turn += 1) await nextTurn();
}
