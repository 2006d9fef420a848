import { methodNotAllowed } from '../../common/http/api-error.ts';
import { findMethods } from '../../common/journal/find-operation.ts';
import {
  createMessage,
  createPet,
  getPet,
  isGetPetRemoved,
  listPets,
  type OperationContext,
} from '../api/operations.ts';
import type { RequestBody } from '../api/parse-json-object.ts';
import type { Context, Step } from './context.ts';
import { decodePart } from './pipeline.ts';

const handlers = {
  listPets: (context: Context) => listPets(toOperationContext(context), context.query),
  createPet: async (context: Context) => createPet(toOperationContext(context), await readBody(context)),
  getPet: (context: Context) => {
    const petId = decodePart(context.path.slice('/v1/pets/'.length), context.path);
    return getPet(toOperationContext(context), petId);
  },
  createMessage: async (context: Context) =>
    createMessage(toOperationContext(context), await readBody(context)),
};

/** Answers the operations of openapi.yaml and the request of the quickstart, and refuses other methods at their paths. */
export const route: Step = (context) => {
  const { method, path, operation, session } = context;
  if (operation !== undefined) return handlers[operation](context);
  const methods = findMethods(path);
  if (methods === undefined || (methods.GET === 'getPet' && isGetPetRemoved(session))) return undefined;
  throw methodNotAllowed(method, Object.keys(methods).join(', '));
};

function toOperationContext({ store, session }: Context): OperationContext {
  const { settings, random, now, basePath } = session;
  return { store, limitPolicy: settings.limitPolicy, order: settings.order, random, now, basePath };
}

async function readBody(context: Context): Promise<RequestBody> {
  return { mediaType: context.headers['content-type'], bytes: await context.readBody() };
}
