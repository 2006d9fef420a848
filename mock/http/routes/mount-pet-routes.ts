import type { Express } from 'express';
import { createPet, getPet, isGetPetRemoved, listPets, type OperationContext } from '../../api/operations.ts';
import type { WriteReply } from '../reply-writer.ts';
import { methodNotAllowed } from './method-not-allowed.ts';
import { bodyOf, readBody } from './read-body.ts';

/** Mounts the three operations of openapi.yaml. */
export function mountPetRoutes(app: Express, context: OperationContext, writeReply: WriteReply): void {
  app
    .route('/v1/pets')
    .get((request, response) => writeReply(response, listPets(context, queryOf(request.url))))
    .post(readBody, (request, response) => writeReply(response, createPet(context, bodyOf(request))))
    .all(methodNotAllowed('GET', 'HEAD', 'POST'));
  app
    .route('/v1/pets/:petId')
    .get((request, response) => writeReply(response, getPet(context, request.params.petId)))
    .all((_request, _response, next) => next(isGetPetRemoved(context.now()) ? 'route' : undefined))
    .all(methodNotAllowed('GET', 'HEAD'));
}

const noQuery = new URLSearchParams();

/** The query as it was sent: Express would turn repeated and bracketed names into arrays and objects. */
function queryOf(url: string): URLSearchParams {
  const start = url.indexOf('?');
  return start === -1 ? noQuery : new URLSearchParams(url.slice(start));
}
