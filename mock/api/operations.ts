import { randomUUID } from 'node:crypto';
import { ApiError, describeValue } from '../../common/api-error.ts';
import { parseInt64 } from '../../common/int64.ts';
import { createReply, type Reply } from '../../common/reply.ts';
import { parseJsonObject, type RequestBody } from './parse-json-object.ts';
import type { PetStore } from './pet-store.ts';
import { type PrintList, printPet } from './print-pets.ts';
import { type LimitPolicy, parseListQuery, parseMessage, parseNewPet } from './validation.ts';

/** What the operations work with. */
export interface OperationContext {
  readonly store: PetStore;
  readonly printList: PrintList;
  readonly limitPolicy: LimitPolicy;
  readonly now: () => Date;
  /** The path of the service, such as `/v1`. */
  readonly basePath: string;
}

/** When getPet is removed. Source: specification, Versioning */
const GET_PET_SUNSET = new Date('2030-12-05T00:00:00Z');

const SUNSET = GET_PET_SUNSET.toUTCString();

/** Tell a client of getPet that it goes, and what takes its place. Source: RFC 8594; RFC 5829 section 3.4 */
function toSunsetHeaders({ basePath }: OperationContext): Reply['headers'] {
  return { Sunset: SUNSET, Link: `<${basePath}/pets>; rel="successor-version"` };
}

/** Lists animals. Source: openapi.yaml#/paths/~1pets/get */
export function listPets({ printList, limitPolicy }: OperationContext, query: URLSearchParams): Reply {
  return printList(parseListQuery(query, limitPolicy));
}

/** Adds an animal. Source: openapi.yaml#/paths/~1pets/post */
export function createPet({ store }: OperationContext, body: RequestBody): Reply {
  const pet = store.add(parseNewPet(parseJsonObject(body)));
  return createReply(201, printPet(pet));
}

/** Fetches one animal, until the operation is removed. Source: openapi.yaml#/paths/~1pets~1{petId}/get */
export function getPet(context: OperationContext, petId: string): Reply {
  if (isGetPetRemoved(context)) {
    const message = 'GET /pets/{petId} was removed on 5 December 2030. Use GET /pets with its status filter.';
    throw new ApiError('not_found', message);
  }
  const id = parseInt64(petId);
  const pet = id === undefined ? undefined : context.store.get(id);
  if (pet === undefined) {
    throw new ApiError(
      'not_found',
      `No animal has the id ${id ?? describeValue(petId)}.`,
      toSunsetHeaders(context),
    );
  }
  return createReply(200, printPet(pet), toSunsetHeaders(context));
}

/** Whether getPet is gone. */
export function isGetPetRemoved({ now }: OperationContext): boolean {
  // By their times: to compare the dates themselves takes three times as long.
  return now().getTime() >= GET_PET_SUNSET.getTime();
}

/** Queues a message, as the quickstart shows it. Source: specification, Introductory quickstart request */
export function createMessage({ now }: OperationContext, body: RequestBody): Reply {
  const message = parseMessage(parseJsonObject(body));
  const queued = { id: randomUUID(), message, status: 'queued', createdAt: now().toISOString() };
  return createReply(202, JSON.stringify(queued));
}
