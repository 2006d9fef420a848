import {
  type ExactJson,
  isJsonObject,
  type JsonObject,
  parseExactJson,
  printExactJson,
} from '../../../common/exact-json.ts';
import type { Behaviour, DeployedReply, DeployedRequest } from '../deployment.ts';

/** How a store does what the specification leaves open. */
export interface StorePolicy {
  /** What it starts with. */
  readonly animals?: readonly JsonObject[];
  readonly apiKey?: string;
  /** Creates what assigns ids. @default counts on from 7000000 */
  readonly createIds?: () => () => bigint;
  /** Puts the animals of a list in its order, before it is cut. @default oldest first */
  readonly arrange?: (animals: readonly JsonObject[]) => readonly JsonObject[];
  /** The most that a list has, whatever its limit. @default 100 */
  readonly pageSize?: number;
  /** What an invalid limit is taken for, or undefined where it is refused. @default it is refused */
  readonly readInvalidLimit?: (value: string) => number | undefined;
  /** The statuses that an invalid one is taken for, or undefined where it is refused. @default it is refused */
  readonly readInvalidStatus?: (value: string) => readonly string[] | undefined;
  /** What an invalid query is refused with. @default 400 */
  readonly queryRefusal?: number;
  /** What an id that is no int64 is refused with. @default 404 */
  readonly idRefusal?: number;
  /** What a NewPet is refused with for a reason of its own, or undefined. */
  readonly refuse?: (pet: JsonObject, animals: readonly JsonObject[]) => number | undefined;
  /** Whether it refuses for its own reasons before it looks at the shape of a body. */
  readonly refusesFirst?: boolean;
  /** What it adds to an animal that is created. */
  readonly complete?: (pet: JsonObject) => JsonObject;
  /** What others do before every request. */
  readonly disturb?: (animals: JsonObject[], takeId: () => bigint) => void;
}

const STATUSES = ['available', 'pending', 'sold'];

/** Creates the behaviour of a store that is no mock at all. */
export function createStoreBehaviour(policy: StorePolicy): Behaviour {
  const animals = [...(policy.animals ?? [])];
  const takeId = (policy.createIds ?? countFrom(7_000_000n))();
  return async (request) => {
    policy.disturb?.(animals, takeId);
    const authorization = request.headers.authorization?.replace(/^bearer /i, 'Bearer ');
    if (authorization !== `Bearer ${policy.apiKey ?? 'test-key'}`) {
      return refuse(401, { 'WWW-Authenticate': 'Bearer realm="animals"' });
    }
    const id = /^\/pets\/([^/]+)$/.exec(request.path)?.[1];
    if (id !== undefined && request.method === 'GET') return find(id, animals, policy);
    if (request.path !== '/pets') return refuse(404);
    if (request.method === 'GET') return list(request, animals, policy);
    return request.method === 'POST' ? create(request, animals, takeId, policy) : refuse(405);
  };
}

/** Creates what counts ids from one on. */
export function countFrom(first: bigint, step = 1n): () => () => bigint {
  return () => {
    let next = first - step;
    return () => (next += step);
  };
}

/** Answers with an Error. */
export function refuse(status: number, headers: Readonly<Record<string, string>> = {}): DeployedReply {
  return reply(status, { code: `E-${status}`, message: 'This is refused.', status: BigInt(status) }, headers);
}

function reply(
  status: number,
  value: ExactJson,
  headers: Readonly<Record<string, string>> = {},
): DeployedReply {
  return {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: printExactJson(value),
  };
}

function list(
  { query }: DeployedRequest,
  animals: readonly JsonObject[],
  policy: StorePolicy,
): DeployedReply {
  const { arrange = (all) => all, pageSize = 100, queryRefusal = 400 } = policy;
  const limit = readLimit(query.get('limit'), policy);
  const statuses = readStatuses(query.get('status'), policy);
  if (limit === undefined || statuses === undefined) return refuse(queryRefusal);
  const isMeant = ({ status }: JsonObject) => statuses === 'any' || statuses.includes(String(status));
  return reply(200, arrange(animals.filter(isMeant)).slice(0, Math.min(limit, pageSize)));
}

function readLimit(
  value: string | null,
  { readInvalidLimit = () => undefined }: StorePolicy,
): number | undefined {
  if (value === null) return 20;
  return /^(?:[1-9]\d?|100)$/.test(value) ? Number(value) : readInvalidLimit(value);
}

function readStatuses(
  value: string | null,
  { readInvalidStatus = () => undefined }: StorePolicy,
): readonly string[] | 'any' | undefined {
  if (value === null) return 'any';
  return STATUSES.includes(value) ? [value] : readInvalidStatus(value);
}

function find(id: string, animals: readonly JsonObject[], { idRefusal = 404 }: StorePolicy): DeployedReply {
  if (!/^-?\d{1,19}$/.test(id) || !isInt64(BigInt(id))) return refuse(idRefusal);
  const animal = animals.find((candidate) => candidate.id === BigInt(id));
  return animal === undefined ? refuse(404) : reply(200, animal);
}

function create(
  { body }: DeployedRequest,
  animals: JsonObject[],
  takeId: () => bigint,
  { refuse: refuseOwn, refusesFirst = false, complete = (pet) => pet }: StorePolicy,
): DeployedReply {
  const sent = parse(body);
  if (sent === undefined || !isJsonObject(sent)) return refuse(400);
  const own = refuseOwn?.(sent, animals);
  if (refusesFirst && own !== undefined) return refuse(own);
  if (!isNewPet(sent)) return refuse(400);
  if (own !== undefined) return refuse(own);
  const { name = null, categoryId = null, status } = sent;
  const pet = complete({ id: takeId(), name, categoryId, ...(status === undefined ? {} : { status }) });
  animals.push(pet);
  return reply(201, pet);
}

function parse(body: string): ExactJson | undefined {
  try {
    return parseExactJson(body);
  } catch {
    return undefined;
  }
}

function isNewPet({ name, categoryId, status }: JsonObject): boolean {
  return (
    typeof name === 'string' &&
    isInt64(categoryId) &&
    (status === undefined || (typeof status === 'string' && STATUSES.includes(status)))
  );
}

/** Whether a JSON value is an int64. */
export function isInt64(value: ExactJson | undefined): boolean {
  return typeof value === 'bigint' && BigInt.asIntN(64, value) === value;
}
