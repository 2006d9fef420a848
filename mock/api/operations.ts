import { ApiError, describeValue } from '../../common/http/api-error.ts';
import { createReply, type Reply } from '../../common/http/reply.ts';
import { parseInt64 } from '../../common/json/int64.ts';
import { createIdMaker } from './create-id-maker.ts';
import { isRoundedId } from './is-rounded-id.ts';
import { parseJsonObject, type RequestBody } from './parse-json-object.ts';
import type { PetStore } from './pet-store.ts';
import { isNotFoundYet, type PrintOptions, printList, printPet, rememberAddition } from './print-pets.ts';
import { parseListQuery, parseMessage, parseNewPet, type Query } from './validation.ts';

export interface OperationContext {
  readonly store: PetStore;
  readonly session: PrintOptions & { readonly now: () => Date };
  /** Path of the base URL that the client uses, such as `/v1`. */
  readonly basePath: string;
}

/** Source: specification, Versioning */
const GET_PET_SUNSET = new Date('2030-12-05T00:00:00Z');

/** Any day in the past, since the specification names none. Source: RFC 9745 */
const DEPRECATION = '@1704067200';

/** Advice for an app that has asked for an id which its JSON parser rounded. */
const ROUNDED = 'an animal exists whose id a double rounds to this one: read ids as text';

const NOT_FOUND_YET = 'the behaviour shows a new animal later: getDelay';

/** Source: RFC 8594; RFC 5829 section 3.4 */
function toSunsetHeaders({ session, basePath }: OperationContext): Reply['headers'] {
  const { deprecationHeaders } = session.behaviour;
  if (deprecationHeaders !== 'sunset') session.noteActed('deprecationHeaders');
  if (deprecationHeaders === 'none') return {};
  const Link = `<${basePath}/pets>; rel="successor-version"`;
  const headers = { Sunset: GET_PET_SUNSET.toUTCString(), Link };
  return deprecationHeaders === 'sunset' ? headers : { Deprecation: DEPRECATION, ...headers };
}

export function listPets(context: OperationContext, query: Query): Reply {
  return printList(context, parseListQuery(query, context.session));
}

/** Number of animals that a store accepts, where it can be full. */
const MOST_ADDED = 10;

export function createPet(context: OperationContext, body: RequestBody): Reply {
  const { store, session, basePath } = context;
  const { behaviour } = session;
  const { ids, statusWhenOmitted, fullStore, location } = behaviour;
  const object = parseJsonObject(body, session);
  const given = parseNewPet(object, session, store);
  if (fullStore === 'after10' && store.added >= MOST_ADDED) {
    session.noteActed('fullStore');
    throw new ApiError('store_full', `The store is full: ${MOST_ADDED} animals were added.`);
  }
  const complete = statusWhenOmitted === 'absent' ? given : { status: statusWhenOmitted, ...given };
  if (complete.status !== given.status) session.noteActed('statusWhenOmitted');
  const pet = store.add(complete, ids === 'next' ? undefined : createIdMaker(ids, session));
  if (ids !== 'next') session.noteActed('ids');
  store.added += 1;
  rememberAddition(pet, object, session);
  const printed = printPet(pet, context, true);
  if (location === 'absent') return createReply(201, printed);
  session.noteActed('location');
  return createReply(201, printed, { Location: `${basePath}/pets/${pet.id}` });
}

export function getPet(context: OperationContext, petId: string): Reply {
  if (isGetPetRemoved(context)) {
    const message = 'GET /pets/{petId} was removed on 5 December 2030. Use GET /pets with its status filter.';
    throw new ApiError('not_found', message);
  }
  const id = parseInt64(petId);
  const pet = id === undefined ? undefined : context.store.get(id);
  const isHidden = pet !== undefined && isNotFoundYet(pet, context.session);
  if (isHidden) context.session.noteActed('getDelay');
  if (pet === undefined || isHidden) {
    if (id === undefined && context.session.behaviour.malformedId === 400) {
      context.session.noteActed('malformedId');
      const message = `petId must be a 64-bit integer, not ${describeValue(petId)}.`;
      throw new ApiError('invalid_request', message).ofKind('petId');
    }
    const message = `No animal has the id ${id ?? describeValue(petId)}.`;
    const hint = isHidden ? NOT_FOUND_YET : isRoundedId(petId, context.store) ? ROUNDED : undefined;
    const kind = id === undefined ? 'petId' : 'animal';
    throw new ApiError('not_found', message, toSunsetHeaders(context), hint).ofKind(kind);
  }
  return createReply(200, printPet(pet, context, true), toSunsetHeaders(context));
}

export function isGetPetRemoved({ session }: OperationContext): boolean {
  return session.now() >= GET_PET_SUNSET;
}

/** Queues a message. Source: specification, Introductory quickstart request */
export function createMessage({ session }: OperationContext, body: RequestBody): Reply {
  const message = parseMessage(parseJsonObject(body));
  const createdAt = session.now().toISOString();
  const queued = { id: crypto.randomUUID(), message, status: 'queued', createdAt };
  return createReply(202, JSON.stringify(queued));
}
