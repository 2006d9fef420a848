import type { OperationName } from '../../common/journal/operation-name.ts';
import { createMessage, createPet, getPet, listPets } from '../api/operations.ts';
import type { Step } from '../pipeline/context.ts';
import { nothingAt, refuseMethod, refuseMethodOfPet, refusePath } from '../pipeline/refusals.ts';

type Register<Handler, Resolver> = (path: RegExp, resolver: Resolver) => Handler;

/** `http` of MSW 2 or 3. */
export interface Http<Handler, Resolver> {
  readonly get: Register<Handler, Resolver>;
  readonly head: Register<Handler, Resolver>;
  readonly post: Register<Handler, Resolver>;
  readonly all: Register<Handler, Resolver>;
}

/** Creates the resolver of a route. @param operation of the route, which has none if it refuses. @param run Its last step. */
export type Answer<Resolver> = (operation: OperationName | undefined, run: Step) => Resolver;

const runListPets: Step = (context) => listPets(context, context.query);
const runCreatePet: Step = async (context) => createPet(context, await context.readBody());
const runCreateMessage: Step = async (context) => createMessage(context, await context.readBody());

const runGetPet: Step = (context) => {
  const petId = decodeId(context.path.slice('/v1/pets/'.length));
  if (petId === undefined) throw nothingAt(context.path);
  return getPet(context, petId);
};

/** Returns undefined if an id is not percent-encoded UTF-8. */
function decodeId(id: string): string | undefined {
  try {
    return decodeURIComponent(id);
  } catch {
    return undefined;
  }
}

/**
 * Creates the routes of the service as handlers of MSW, which takes the first one that matches.
 * @param base Pattern of the URL before `/v1`.
 */
export function createRoutes<Handler, Resolver>(
  http: Http<Handler, Resolver>,
  base: string,
  answer: Answer<Resolver>,
): Handler[] {
  // MSW 2 decodes the groups of a path, and fails for /v1/pets/%ZZ.
  const at = (path: string) => new RegExp(`^${base}${path}$`);
  const pets = at('/v1/pets');
  const pet = at('/v1/pets/[^/]+');
  const messages = at('/messages');
  return [
    http.get(pets, answer('listPets', runListPets)),
    http.head(pets, answer('listPets', runListPets)),
    http.post(pets, answer('createPet', runCreatePet)),
    http.all(pets, answer(undefined, refuseMethod('GET, HEAD, POST'))),
    http.get(pet, answer('getPet', runGetPet)),
    http.head(pet, answer('getPet', runGetPet)),
    http.all(pet, answer(undefined, refuseMethodOfPet)),
    http.post(messages, answer('createMessage', runCreateMessage)),
    http.all(messages, answer(undefined, refuseMethod('POST'))),
    http.all(at('/v1(?:/.*)?'), answer(undefined, refusePath)),
  ];
}
