import { isJsonObject, type JsonObject, printExactJson } from '../../../common/json/exact-json.ts';
import { isInt64 } from '../../../common/json/int64.ts';
import type { Answer, Deployment } from '../deployment.ts';
import type { DeployedReply, DeployedRequest } from '../messages.ts';
import { hasKey, idOf, isCreation, isFetch, isList } from '../messages.ts';
import { createError, createReply } from '../replies.ts';
import { readJson } from '../values.ts';

/** How a store does what the specification leaves open. */
export interface StorePolicy {
  readonly target?: Deployment['target'];
  /** @default 45 animals */
  readonly animals?: readonly JsonObject[];
  /** Gives the id of a new animal, of which so many were added before. @default counts on from 7000000 */
  readonly toId?: (added: bigint) => bigint;
  /** The most that a list has, whatever its limit. @default 100 */
  readonly pageSize?: number;
  /** Cuts a list short, in addition to its limit, with or without a status. It leaves at least one animal. */
  readonly cut?: (list: readonly JsonObject[], isByStatus: boolean) => readonly JsonObject[];
  /** Takes animals out of a list after its limit, and finds none of them by their ids: the key may not see them. */
  readonly hides?: (animal: JsonObject) => boolean;
  /** Read an invalid parameter as valid ones, or return undefined to refuse it. @default it is refused */
  readonly readInvalidLimit?: (value: string) => number | undefined;
  readonly readInvalidStatus?: (value: string) => readonly string[] | undefined;
  /** The statuses by which it lists an animal that shows none. @default none */
  readonly unshown?: readonly string[];
  /** Statuses of an invalid query, and of an id that is not an int64. @default 400, and 404 */
  readonly refusal?: number;
  /** Returns the refusal of a NewPet, or undefined. */
  readonly refuse?: (pet: JsonObject, animals: readonly JsonObject[]) => number | undefined;
  /** Returns the members of a new animal that POST does not take. @default none */
  readonly toFurther?: (id: bigint) => JsonObject;
  /** Returns what is kept of a name, which the response to its POST has as it was sent. */
  readonly keepName?: (name: string) => string;
  /** Whether it refuses for its own reasons before it looks at the shape of a body. */
  readonly refusesFirst?: boolean;
  /** What others do before every request, of which there were so many. */
  readonly disturb?: (animals: JsonObject[], takeId: () => bigint, requests: number) => void;
}

const LARGEST_LIMIT = 100;

/** The values of PetStatus. */
export const statuses = ['available', 'pending', 'sold'];

/** Creates animals of all statuses and of none, in turns, most of them in category 7 and some in 8; each may be changed. */
export function createAnimals(count: number, change = (_index: number): JsonObject => ({})): JsonObject[] {
  return Array.from({ length: count }, (_, index) => {
    const status = [...statuses, undefined][index % 4];
    const animal = { id: BigInt(index + 1), name: `Animal ${index}`, categoryId: index % 5 === 4 ? 8n : 7n };
    return { ...animal, ...(status === undefined ? {} : { status }), ...change(index) };
  });
}

/** Returns the first animals that have room in so many bytes of JSON, and at least one. */
export function cutBytes(list: readonly JsonObject[], most: number): readonly JsonObject[] {
  let bytes = 0;
  const tooMany = list.findIndex((animal, index) => {
    bytes += Buffer.byteLength(printExactJson(animal));
    return index > 0 && bytes > most;
  });
  return tooMany === -1 ? list : list.slice(0, tooMany);
}

/** Creates the answers of a store that is not the mock. */
export function createStoreAnswer(policy: StorePolicy): Answer {
  const { toId = (added) => 7_000_000n + added } = policy;
  const animals = [...(policy.animals ?? createAnimals(45))];
  let added = 0n;
  let requests = 0;
  const takeId = () => toId(added++);
  return async (request) => {
    requests += 1;
    policy.disturb?.(animals, takeId, requests);
    if (!hasKey(request)) return createError(401, { 'www-authenticate': 'Bearer realm="x"' });
    if (isList(request)) return list(request, animals, policy);
    if (isFetch(request)) return find(idOf(request), animals, policy);
    return isCreation(request) ? create(request, animals, takeId, policy) : createError(404);
  };
}

/** Creates deployments that are stores, by their names. */
export function stores(policies: Readonly<Record<string, StorePolicy>>): Deployment[] {
  return Object.entries(policies).map(([name, { target = {}, ...policy }]) => {
    return { name, target, createAnswer: () => createStoreAnswer(policy) };
  });
}

function list({ query }: DeployedRequest, animals: JsonObject[], policy: StorePolicy): DeployedReply {
  const { pageSize = LARGEST_LIMIT, refusal = 400, unshown = [] } = policy;
  const limit = query.get('limit') ?? '20';
  const status = query.get('status');
  const most = readLimit(limit) ?? policy.readInvalidLimit?.(limit);
  const wanted = status === null || statuses.includes(status) ? [status] : policy.readInvalidStatus?.(status);
  if (most === undefined || wanted === undefined) return createError(refusal);
  const isWanted = (animal: JsonObject) =>
    status === null ||
    wanted.includes(String(animal.status)) ||
    (animal.status === undefined && unshown.includes(status));
  const taken = animals.filter(isWanted).filter(isMatch(query)).slice(0, Math.min(most, pageSize));
  const page = policy.hides === undefined ? taken : taken.filter((animal) => !policy.hides?.(animal));
  return createReply(200, policy.cut?.(page, status !== null) ?? page);
}

/** Returns whether an animal has the values of all members that a query names. Others than the status may have any value. */
function isMatch(query: URLSearchParams) {
  return (animal: JsonObject): boolean =>
    [...query].every(
      ([name, value]) => name === 'status' || [undefined, value].includes(animal[name]?.toString()),
    );
}

/** Reads a limit in its plain form. */
function readLimit(limit: string): number | undefined {
  const number = /^[1-9]\d*$/.test(limit) ? Number(limit) : 0;
  return number >= 1 && number <= LARGEST_LIMIT ? number : undefined;
}

function find(id: string, animals: readonly JsonObject[], policy: StorePolicy): DeployedReply {
  const { refusal = 404, hides = () => false } = policy;
  if (!/^-?\d{1,19}$/.test(id) || !isInt64(BigInt(id))) return createError(refusal);
  const animal = animals.find((candidate) => candidate.id === BigInt(id));
  return animal === undefined || hides(animal) ? createError(404) : createReply(200, animal);
}

function create({ body }: DeployedRequest, animals: JsonObject[], takeId: () => bigint, policy: StorePolicy) {
  const { refuse, refusesFirst = false, keepName = (one) => one, toFurther = () => ({}) } = policy;
  const sent = readJson(body);
  if (sent === undefined || !isJsonObject(sent)) return createError(400);
  const refusal = refuse?.(sent, animals);
  if (!isValid(sent) && (refusal === undefined || !refusesFirst)) return createError(400);
  if (refusal !== undefined) return createError(refusal);
  const { name = null, categoryId = null, status } = sent;
  const id = takeId();
  const pet = { id, name, categoryId, ...(status === undefined ? {} : { status }), ...toFurther(id) };
  animals.push({ ...pet, name: keepName(String(name)) });
  return createReply(201, pet);
}

function isValid({ name, categoryId, status = 'sold' }: JsonObject): boolean {
  return typeof name === 'string' && isInt64(categoryId) && statuses.includes(status as string);
}
