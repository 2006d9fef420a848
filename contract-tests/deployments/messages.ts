import { unescape as decode } from 'node:querystring';
import { isJsonObject, type JsonObject } from '../../common/json/exact-json.ts';
import { loadAnimalFacts } from '../../common/load-animal-facts.ts';
import { isNewPet, readJson } from './values.ts';

/** A request as a deployment gets it. Names of headers are in lower case, also in a reply. */
export interface DeployedRequest {
  readonly method: string;
  /** Below the base URL, without the query, such as `/pets/1`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Number of the connection that it came on, from 1. Undefined if it was sent in this process. */
  readonly connection?: number;
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

/** Chooses lists by their limit and by the value of a filter such as status, each the first one or null, or by the whole query. */
export type IsListMeant = (limit: string | null, filter: string | null, query: URLSearchParams) => unknown;

export const always: IsMeant = () => true;

export const isList: IsMeant = ({ method, path }) => method === 'GET' && path === '/pets';

export const isCreation: IsMeant = ({ method, path }) => method === 'POST' && path === '/pets';

export const isFetch: IsMeant = ({ method, path }) => method === 'GET' && path.startsWith('/pets/');

/** Matches every valid POST /pets, with a valid status or not. */
export const isAddition: IsMeant = (one) => isCreation(one) && hasKey(one) && isNewPet(sentBy(one));

const filterNames = loadAnimalFacts().filters.map(({ name }) => name);

export function isListOf(isWanted: IsListMeant): IsMeant {
  return (request) => {
    const { query } = request;
    const [filter = null] = filterNames.flatMap((name) => query.get(name) ?? []);
    return isList(request) && Boolean(isWanted(query.get('limit'), filter, query));
  };
}

/** Chooses requests by a header. A missing header is an empty string. */
export function hasHeader(name: string, value: RegExp): IsMeant {
  return ({ headers }) => value.test(headers[name] ?? '');
}

/** Chooses creations by their body. */
export function hasBody(isWanted: (body: string) => boolean): IsMeant {
  return (request) => isCreation(request) && isWanted(request.body);
}

/** Chooses creations by the object in their body. */
export function isSent(isWanted: (sent: JsonObject) => boolean): IsMeant {
  return (request) => isCreation(request) && isWanted(sentBy(request));
}

/** Chooses creations whose body is malformed JSON. */
export const isMalformed = hasBody((body) => body !== '' && readJson(body) === undefined);

/** Chooses requests by the id in their path, as it is written. */
export function isAt(id: string): IsMeant {
  return ({ path }) => path === `/pets/${id}`;
}

const KEY = 'Bearer test-key';

export const hasKey: IsMeant = ({ headers }) => headers.authorization?.replace(/^bearer/i, 'Bearer') === KEY;

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
