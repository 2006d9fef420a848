import type { IRouter } from 'express';
import { createRouter } from '../../common/http/create-router.ts';
import type { OperationName } from '../../common/journal/operation-name.ts';
import { createMessage, createPet, getPet, listPets } from '../api/operations.ts';
import { steps } from '../pipeline/answer-request.ts';
import { refuseMethod, refuseMethodOfPet, refusePath } from '../pipeline/refusals.ts';
import type { Middleware } from './http-context.ts';
import { sendOutcome, toMiddleware } from './send-outcome.ts';

const beforeOperation = steps.map(toMiddleware);

/** Creates the routes of the service, under `/v1`. Source: specification, Endpoints */
export function createService(): IRouter {
  const service = createRouter();

  // Faults, the limit of the rate and the journal need the operation before its route runs.
  service.get('/pets', is('listPets'));
  service.post('/pets', is('createPet'));
  // A parameter would fail for an id that cannot be decoded, before the key is checked.
  service.get(/^\/pets\/[^/]+$/, is('getPet'));

  service.use(...beforeOperation);

  service.get('/pets', (_request, { locals: { context } }) => {
    sendOutcome(context, listPets(context, context.query));
  });
  service.post('/pets', async (_request, { locals: { context } }) => {
    sendOutcome(context, createPet(context, await context.readBody()));
  });
  service.get('/pets/:petId', ({ params: { petId } }, { locals: { context } }) => {
    sendOutcome(context, getPet(context, petId));
  });

  service.all('/pets', toMiddleware(refuseMethod('GET, HEAD, POST')));
  service.all('/pets/:petId', toMiddleware(refuseMethodOfPet));
  service.use(toMiddleware(refusePath));
  return service;
}

/** Creates the route of the quickstart's request, at `/messages`. Source: specification, Introductory quickstart request */
export function createQuickstart(): IRouter {
  const quickstart = createRouter();
  quickstart.post('/messages', is('createMessage'));
  quickstart.use('/messages', ...beforeOperation);
  quickstart.post('/messages', async (_request, { locals: { context } }) => {
    sendOutcome(context, createMessage(context, await context.readBody()));
  });
  quickstart.all('/messages', toMiddleware(refuseMethod('POST')));
  quickstart.use('/messages', toMiddleware(refusePath));
  return quickstart;
}

function is(operation: OperationName): Middleware {
  return (_request, { locals: { context } }, next) => {
    context.operation = operation;
    next();
  };
}
