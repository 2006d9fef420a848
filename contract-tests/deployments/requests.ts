import { unescape as decode } from 'node:querystring';
import { isJsonObject, type JsonObject } from '../../common/json/exact-json.ts';
import type { DeployedReply, DeployedRequest } from './deployment.ts';
import { isNewPet, readJson } from './members.ts';

/** Picks requests. */
export type IsMeant = (request: DeployedRequest) => boolean;

/** Picks requests by what the mock answers. */
export type IsAnswered = (request: DeployedRequest, reply: DeployedReply) => boolean;

export const always = () => true;

const KEY = 'Bearer test-key';

export const isList: IsMeant = ({ method, path }) => method === 'GET' && path === '/pets';

export const isCreation: IsMeant = ({ method, path }) => method === 'POST' && path === '/pets';

export const isFetch: IsMeant = ({ method, path }) => method === 'GET' && path.startsWith('/pets/');

/** Parameters of a query; null stands for one that is left out. */
export type QueryParameters = Readonly<Record<string, string | null>>;

/** The query with some parameters changed. */
export function withParameters(query: URLSearchParams, parameters: QueryParameters): URLSearchParams {
  const changed = new URLSearchParams(query);
  for (const [name, value] of Object.entries(parameters)) {
    if (value === null) changed.delete(name);
    else changed.set(name, value);
  }
  return changed;
}

/** Picks lists by limit and status, each the first of its name or null, or by the whole query. */
export type IsListMeant = (limit: string | null, status: string | null, query: URLSearchParams) => unknown;

export function isListOf(isWanted: IsListMeant): IsMeant {
  return (request) => {
    const { query } = request;
    return isList(request) && Boolean(isWanted(query.get('limit'), query.get('status'), query));
  };
}

/** Picks what the mock answers with a status. */
export function answered(status: number, isMeant: IsMeant = always): IsAnswered {
  return (request, reply) => reply.status === status && isMeant(request);
}

/** Picks requests by a header; one that is missing is an empty text. */
export function hasHeader(name: string, value: RegExp): IsMeant {
  return ({ headers }) => value.test(headers[name] ?? '');
}

export function hasKey({ headers }: DeployedRequest): boolean {
  return headers.authorization?.replace(/^bearer/i, 'Bearer') === KEY;
}

export function withKey(request: DeployedRequest): DeployedRequest {
  return { ...request, headers: { ...request.headers, authorization: KEY } };
}

/** The id that a request asks for, as text. */
export function idOf({ path }: DeployedRequest): string {
  return decode(path.slice('/pets/'.length));
}

/** The object that a request carries; an empty one when it carries none. */
export function sentBy({ body }: DeployedRequest): JsonObject {
  const value = readJson(body);
  return value !== undefined && isJsonObject(value) ? value : {};
}

/** Whether it is a valid POST /pets, except perhaps for the status. */
export const isAddition: IsMeant = (request) =>
  isCreation(request) && hasKey(request) && isNewPet(sentBy(request));
