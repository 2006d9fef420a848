import { unescape as decode } from 'node:querystring';
import type { ExactJson, JsonObject } from '../../common/json/exact-json.ts';
import { isJsonObject, parseExactJson, printExactJson } from '../../common/json/exact-json.ts';

/** A request as a deployment gets it. Names of headers are in lower case, also in a reply. */
export interface DeployedRequest {
  readonly method: string;
  /** Below the base URL, without the query, such as `/pets/1`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface DeployedReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Uint8Array;
}

/** Chooses requests. */
export type IsMeant = (request: DeployedRequest) => boolean;

/** Chooses requests, also by the reply of the mock. */
export type IsAnswered = (request: DeployedRequest, reply: DeployedReply) => boolean;

/** Chooses lists by limit and status, each the first of its name or null, or by the whole query. */
export type IsListMeant = (limit: string | null, status: string | null, query: URLSearchParams) => unknown;

export const always: IsMeant = () => true;

export const isList: IsMeant = ({ method, path }) => method === 'GET' && path === '/pets';

export const isCreation: IsMeant = ({ method, path }) => method === 'POST' && path === '/pets';

export const isFetch: IsMeant = ({ method, path }) => method === 'GET' && path.startsWith('/pets/');

/** Matches every valid POST /pets, with a valid status or not. */
export const isAddition: IsMeant = (request) =>
  isCreation(request) && hasKey(request) && isNewPet(sentBy(request));

export function isListOf(isWanted: IsListMeant): IsMeant {
  return (request) => {
    const { query } = request;
    return isList(request) && Boolean(isWanted(query.get('limit'), query.get('status'), query));
  };
}

export function answered(status: number, isMeant: IsMeant = always): IsAnswered {
  return (request, reply) => reply.status === status && isMeant(request);
}

/** Chooses requests by a header. A missing header is an empty string. */
export function hasHeader(name: string, value: RegExp): IsMeant {
  return ({ headers }) => value.test(headers[name] ?? '');
}

const KEY = 'Bearer test-key';

export function hasKey({ headers }: DeployedRequest): boolean {
  return headers.authorization?.replace(/^bearer/i, 'Bearer') === KEY;
}

export function withKey<T extends DeployedRequest>(request: T): T {
  return { ...request, headers: { ...request.headers, authorization: KEY } };
}

/** Returns the query with some parameters changed, or removed by null. */
export function withParameters(query: URLSearchParams, parameters: Readonly<Record<string, string | null>>) {
  const changed = new URLSearchParams(query);
  for (const [name, value] of Object.entries(parameters)) {
    if (value === null) changed.delete(name);
    else changed.set(name, value);
  }
  return changed;
}

/** Returns the id in the path of a request. */
export function idOf({ path }: DeployedRequest): string {
  return decode(path.slice('/pets/'.length));
}

/** Returns the object in the body of a request, or an empty one. */
export function sentBy({ body }: DeployedRequest): JsonObject {
  const value = readJson(body);
  return value !== undefined && isJsonObject(value) ? value : {};
}

export function animalsOf({ body }: DeployedReply): readonly JsonObject[] {
  return parseExactJson(body) as readonly JsonObject[];
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

/** Returns the JSON of a body, or undefined if it is not JSON. */
export function readJson(body: string | Uint8Array): ExactJson | undefined {
  try {
    return parseExactJson(body);
  } catch {
    return undefined;
  }
}

export function isNewPet({ name, categoryId }: JsonObject): boolean {
  return typeof name === 'string' && typeof categoryId === 'bigint';
}

export function set(members: JsonObject) {
  return (value: JsonObject): JsonObject => ({ ...value, ...members });
}

export function drop(name: string) {
  return <T>({ [name]: _, ...others }: Readonly<Record<string, T>>): Readonly<Record<string, T>> => others;
}

/** Changes a member of an object that has it. */
export function alter(name: string, change: (value: ExactJson) => ExactJson) {
  return (value: JsonObject): JsonObject => {
    const member = value[name];
    return member === undefined ? value : { ...value, [name]: change(member) };
  };
}

/** Rounds an integer to the nearest double in int64. */
export function asDouble(value: ExactJson | undefined): ExactJson {
  return typeof value === 'bigint' ? BigInt(Math.min(Number(value), 2 ** 63 - 1024)) : (value ?? null);
}
