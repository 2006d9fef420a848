import type { Express, Request, RequestHandler, Response } from 'express';
import { ApiError } from '../../common/api-error.ts';
import * as operations from '../api/operations.ts';
import type { RequestBody } from '../api/parse-json-object.ts';
import type { WriteReply } from './create-writers.ts';
import { readBody } from './read-body.ts';

/** Mounts the operations of openapi.yaml and the request that the quickstart makes; each works with the service of its request. */
export function mountRoutes(app: Express, writeReply: WriteReply): void {
  app
    .route('/v1/pets')
    .get((request, response) =>
      writeReply(response, operations.listPets(contextOf(response), queryOf(request.url))),
    )
    .post(readBody, (request, response) =>
      writeReply(response, operations.createPet(contextOf(response), bodyOf(request))),
    )
    .all(methodNotAllowed('GET', 'HEAD', 'POST'));
  app
    .route('/v1/pets/:petId')
    .get((request, response) =>
      writeReply(response, operations.getPet(contextOf(response), request.params.petId)),
    )
    .all((_request, response, next) =>
      next(operations.isGetPetRemoved(contextOf(response)) ? 'route' : undefined),
    )
    .all(methodNotAllowed('GET', 'HEAD'));
  app
    .route('/messages')
    .post(readBody, (request, response) =>
      writeReply(response, operations.createMessage(contextOf(response), bodyOf(request))),
    )
    .all(methodNotAllowed('POST'));
}

function contextOf({ locals }: Response): operations.OperationContext {
  return locals.operations;
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
