import { ApiError, describeValue } from '../../common/http/api-error.ts';
import type { OperationName } from '../../common/journal/operation-name.ts';
import { parseInt64 } from '../../common/json/int64.ts';
import type { Pet } from '../../common/json/pet.ts';
import { readListQuery, readMessage, readNewPet, readObject } from './read-request.ts';
import { methodNotAllowed } from './refusals.ts';
import { findKeyError } from './refuse-key.ts';
import type { Answer, Ask, Hook, World } from './types.ts';

type Operation = (ask: Ask, world: World, hooks: readonly Hook[]) => Answer;

const listPets: Operation = (ask, world, hooks) => {
  const { limit, isWanted } = readListQuery(ask.query, world.contract);
  const matching: Iterable<Pet> = filter(world.store.newestFirst(), isWanted);
  const listed = hooks.reduce((pets, hook) => hook.list?.(pets, ask, world) ?? pets, matching);
  return { status: 200, headers: {}, value: take(listed, limit) };
};

const createPet: Operation = (ask, world, hooks) => {
  const body = readObject(ask);
  const given = readNewPet(body, world.contract);
  const pet = hooks.reduce((one, hook) => hook.pet?.(one, body, world, ask) ?? one, given);
  const toId = (next: bigint) => hooks.reduce((id, hook) => hook.id?.(id, world) ?? id, next);
  return { status: 201, headers: {}, value: world.store.create(pet, world.clock, toId) };
};

/** Source: specification, Versioning; RFC 8594 */
const SUNSET = new Date('2030-12-05T00:00:00Z');
const SUNSET_DATE = SUNSET.toUTCString();

export const isGetPetRemoved = ({ now }: Pick<World, 'now'>): boolean => now >= SUNSET;

const getPet: Operation = ({ path, basePath }, { store, now }) => {
  if (isGetPetRemoved({ now })) {
    const message = 'GET /pets/{petId} was removed on 5 December 2030. Use GET /pets with its status filter.';
    throw new ApiError('not_found', message);
  }
  const petId = readPetId(path);
  const id = parseInt64(petId);
  const pet = id === undefined ? undefined : store.get(id);
  // Source: RFC 8594; RFC 5829 section 3.4
  const headers = { Sunset: SUNSET_DATE, Link: `<${basePath}/pets>; rel="successor-version"` };
  if (pet !== undefined) return { status: 200, headers, value: pet };
  const message = `No animal has the id ${id ?? describeValue(petId)}.`;
  throw new ApiError('not_found', message, headers).ofKind(id === undefined ? 'petId' : 'animal');
};

/** Returns the id in a path. @throws ApiError `not_found` if it is not percent-encoded UTF-8 */
export function readPetId(path: string): string {
  try {
    return decodeURIComponent(path.slice('/v1/pets/'.length));
  } catch {
    throw nothingAt(path);
  }
}

/** Source: specification, Introductory quickstart request */
const createMessage: Operation = (ask, { now, createId }) => {
  const message = readMessage(readObject(ask));
  const value = { id: createId(), message, status: 'queued', createdAt: now.toISOString() };
  return { status: 202, headers: {}, value };
};

const operations: Readonly<Record<OperationName, Operation>> = { listPets, createPet, getPet, createMessage };

/** The operations by path and method. Source: openapi.yaml; specification, Introductory quickstart request */
const routes: readonly (readonly [path: RegExp, Readonly<Record<string, OperationName>>])[] = [
  [/^\/v1\/pets$/, { GET: 'listPets', HEAD: 'listPets', POST: 'createPet' }],
  [/^\/v1\/pets\/[^/]+$/, { GET: 'getPet', HEAD: 'getPet' }],
  [/^\/messages$/, { POST: 'createMessage' }],
];

/** Returns the operations of a path by their methods; undefined if there is nothing at it. */
export function methodsAt(path: string): Readonly<Record<string, OperationName>> | undefined {
  return routes.find(([pattern]) => pattern.test(path))?.[1];
}

export function nothingAt(path: string): ApiError {
  const message = `There is nothing at ${path}. The animals are at /v1/pets and /v1/pets/{petId}.`;
  return new ApiError('not_found', message).ofKind('path');
}

/** Refuses a request for no operation. @throws ApiError `method_not_allowed` or `not_found` */
function refuse({ method, path }: Ask, world: World): never {
  const methods = methodsAt(path);
  const isRemoved = methods?.GET === 'getPet' && isGetPetRemoved(world);
  if (methods === undefined || isRemoved) throw nothingAt(path);
  throw methodNotAllowed(method, Object.keys(methods).join(', '));
}

/** Returns the operation that a request asks for, as the hooks have it. They do not need its body. */
export function operationOf(ask: Ask, world: World, hooks: readonly Hook[]): OperationName | undefined {
  let asked = ask;
  try {
    for (const hook of hooks) asked = hook.request?.(asked, world) ?? asked;
  } catch {
    // The answer reports it.
  }
  return asked.operation;
}

/** Answers a request of the service: 401 comes before 404 and 405. Source: specification */
export function answer(ask: Ask, world: World, hooks: readonly Hook[] = []): Answer {
  let asked = ask;
  const given = settle(() => {
    for (const hook of hooks) asked = hook.request?.(asked, world) ?? asked;
    return answerPlainly(asked, world, hooks);
  });
  return hooks.reduce((one, hook) => settle(() => hook.reply?.(one, asked, world) ?? one), given);
}

function answerPlainly(ask: Ask, world: World, hooks: readonly Hook[]): Answer {
  // It is not thrown, because the stack trace of an Error takes a third of the time of a 401.
  const error = findKeyError(ask.headers.authorization, world.apiKeys);
  if (error !== undefined) return { status: 401, headers: { 'WWW-Authenticate': 'Bearer' }, error };
  if (ask.operation === undefined) refuse(ask, world);
  return operations[ask.operation](ask, world, hooks);
}

/** Returns an answer, or that of the ApiError that was thrown. */
function settle(take: () => Answer): Answer {
  try {
    return take();
  } catch (error) {
    if (error instanceof ApiError)
      return { status: error.status, headers: error.headers, error: error.error };
    throw error;
  }
}

export function* filter<Value>(
  values: Iterable<Value>,
  isMatch: (value: Value) => boolean,
): Generator<Value> {
  for (const value of values) if (isMatch(value)) yield value;
}

function take<Value>(values: Iterable<Value>, most: number): Value[] {
  const taken: Value[] = [];
  if (most > 0)
    for (const value of values) {
      taken.push(value);
      if (taken.length === most) break;
    }
  return taken;
}
