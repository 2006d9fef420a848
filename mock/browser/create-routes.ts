import type { OperationName } from '../../common/journal/operation-name.ts';
import type { LastStep } from '../pipeline/context.ts';
import {
  refuseMethodOfMessages,
  refuseMethodOfPet,
  refuseMethodOfPets,
  refusePath,
} from '../pipeline/refusals.ts';

type Register<Handler, Resolver> = (path: RegExp, resolver: Resolver) => Handler;

/** `http` of MSW 2 or 3. */
export interface Http<Handler, Resolver> {
  readonly get: Register<Handler, Resolver>;
  readonly head: Register<Handler, Resolver>;
  readonly post: Register<Handler, Resolver>;
  readonly all: Register<Handler, Resolver>;
}

/** What the routes of a mock in a page do. */
export interface Resolvers<Resolver> {
  readonly run: (operation: OperationName) => Resolver;
  readonly refuse: (step: LastStep) => Resolver;
  readonly runWithSlash: Resolver;
}

/**
 * Creates the routes of the service as handlers of MSW, which takes the first one that matches.
 * @param base Pattern of the URL before `/v1`.
 */
export function createRoutes<Handler, Resolver>(
  http: Http<Handler, Resolver>,
  base: string,
  { run, refuse, runWithSlash }: Resolvers<Resolver>,
): Handler[] {
  // MSW 2 decodes the groups of a path, and fails for /v1/pets/%ZZ.
  const at = (path: string) => new RegExp(`^${base}${path}$`);
  const pets = at('/v1/pets');
  const pet = at('/v1/pets/[^/]+');
  const messages = at('/messages');
  return [
    http.get(pets, run('listPets')),
    http.head(pets, run('listPets')),
    http.post(pets, run('createPet')),
    http.all(pets, refuse(refuseMethodOfPets)),
    http.get(pet, run('getPet')),
    http.head(pet, run('getPet')),
    http.all(pet, refuse(refuseMethodOfPet)),
    http.all(at('/v1/pets/(?:[^/]+/)?'), runWithSlash),
    http.post(messages, run('createMessage')),
    http.all(messages, refuse(refuseMethodOfMessages)),
    http.all(at('/v1(?:/.*)?'), refuse(refusePath)),
  ];
}
