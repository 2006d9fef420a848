import { ApiError, describeValue } from '../../common/http/api-error.ts';
import { createReply, type Reply } from '../../common/http/reply.ts';
import { parseInt64 } from '../../common/json/int64.ts';
import { parseJsonObject, type RequestBody } from './parse-json-object.ts';
import type { PetStore } from './pet-store.ts';
import { type ListOrder, printList, printPet } from './print-pets.ts';
import { type LimitPolicy, parseListQuery, parseMessage, parseNewPet, type Query } from './validation.ts';

export interface OperationContext {
  readonly store: PetStore;
  readonly session: {
    readonly settings: { readonly limitPolicy: LimitPolicy; readonly order: ListOrder };
    readonly random: () => number;
    readonly now: () => Date;
    readonly basePath: string;
  };
}

/** Source: specification, Versioning */
const GET_PET_SUNSET = new Date('2030-12-05T00:00:00Z');

/** Source: RFC 8594; RFC 5829 section 3.4 */
function toSunsetHeaders({ session }: OperationContext): Reply['headers'] {
  return {
    Sunset: GET_PET_SUNSET.toUTCString(),
    Link: `<${session.basePath}/pets>; rel="successor-version"`,
  };
}

export function listPets({ store, session }: OperationContext, query: Query): Reply {
  const { limitPolicy, order } = session.settings;
  return printList(store, parseListQuery(query, limitPolicy), order, session.random);
}

export function createPet({ store }: OperationContext, body: RequestBody): Reply {
  const pet = store.add(parseNewPet(parseJsonObject(body)));
  return createReply(201, printPet(pet));
}

export function getPet(context: OperationContext, petId: string): Reply {
  if (isGetPetRemoved(context)) {
    const message = 'GET /pets/{petId} was removed on 5 December 2030. Use GET /pets with its status filter.';
    throw new ApiError('not_found', message);
  }
  const id = parseInt64(petId);
  const pet = id === undefined ? undefined : context.store.get(id);
  if (pet === undefined) {
    const message = `No animal has the id ${id ?? describeValue(petId)}.`;
    throw new ApiError('not_found', message, toSunsetHeaders(context));
  }
  return createReply(200, printPet(pet), toSunsetHeaders(context));
}

export function isGetPetRemoved({ session }: OperationContext): boolean {
  return session.now() >= GET_PET_SUNSET;
}

/** Queues a message. Source: specification, Introductory quickstart request */
export function createMessage({ session }: OperationContext, body: RequestBody): Reply {
  const message = parseMessage(parseJsonObject(body));
  const queued = {
    id: crypto.randomUUID(),
    message,
    status: 'queued',
    createdAt: session.now().toISOString(),
  };
  return createReply(202, JSON.stringify(queued));
}
