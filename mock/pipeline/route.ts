import { methodNotAllowed } from '../../common/http/api-error.ts';
import { findMethods } from '../../common/journal/find-operation.ts';
import { createMessage, createPet, getPet, isGetPetRemoved, listPets } from '../api/operations.ts';
import type { RequestBody } from '../api/parse-json-object.ts';
import type { Context, Step } from './context.ts';
import { decodePart } from './pipeline.ts';

const handlers = {
  listPets: (context: Context) => listPets(context, context.query),
  createPet: async (context: Context) => createPet(context, await readBody(context)),
  getPet: (context: Context) =>
    getPet(context, decodePart(context.path.slice('/v1/pets/'.length), context.path)),
  createMessage: async (context: Context) => createMessage(context, await readBody(context)),
};

/** Answers the operations of openapi.yaml and the request of the quickstart, and refuses other methods at their paths. */
export const route: Step = (context) => {
  const { method, path, operation } = context;
  if (operation !== undefined) return handlers[operation](context);
  const methods = findMethods(path);
  if (methods === undefined || (methods.GET === 'getPet' && isGetPetRemoved(context))) return undefined;
  throw methodNotAllowed(method, Object.keys(methods).join(', '));
};

async function readBody(context: Context): Promise<RequestBody> {
  return { mediaType: context.headers['content-type'], bytes: await context.readBody() };
}
