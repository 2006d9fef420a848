import type { Express, Request, RequestHandler } from 'express';
import { ApiError } from '../api/errors.ts';
import * as operations from '../api/operations.ts';
import type { RequestBody } from '../api/parse-json-object.ts';
import type { WriteReply } from './create-writers.ts';
import { readBody } from './read-body.ts';

/** Mounts the operations of openapi.yaml and the request that the quickstart makes. */
export function mountRoutes(
  app: Express,
  context: operations.OperationContext,
  writeReply: WriteReply,
): void {
  app
    .route('/v1/pets')
    .get((request, response) => writeReply(response, operations.listPets(context, queryOf(request.url))))
    .post(readBody, (request, response) =>
      writeReply(response, operations.createPet(context, bodyOf(request))),
    )
    .all(methodNotAllowed('GET', 'HEAD', 'POST'));
  app
    .route('/v1/pets/:petId')
    .get((request, response) => writeReply(response, operations.getPet(context, request.params.petId)))
    .all((_request, _response, next) => next(operations.isGetPetRemoved(context) ? 'route' : undefined))
    .all(methodNotAllowed('GET', 'HEAD'));
  app
    .route('/messages')
    .post(readBody, (request, response) =>
      writeReply(response, operations.createMessage(context, bodyOf(request))),
    )
    .all(methodNotAllowed('POST'));
}

/** The body that `readBody` has read; Express leaves it out when there is none. */
function bodyOf(request: Request): RequestBody {
  return { mediaType: request.headers['content-type'], bytes: request.body ?? new Uint8Array() };
}

/** The query as it was sent: Express would turn repeated and bracketed names into arrays and objects. */
function queryOf(url: string): URLSearchParams {
  const start = url.indexOf('?');
  return new URLSearchParams(start === -1 ? '' : url.slice(start));
}

/** Refuses every method that reaches it. Source: RFC 9110 section 15.5.6 */
export function methodNotAllowed(...allowed: string[]): RequestHandler {
  const allow = allowed.join(', ');
  return (request) => {
    const message = `${request.method} is not allowed here; allowed are ${allow}.`;
    throw new ApiError('method_not_allowed', message, { Allow: allow });
  };
}
