import type { IRouter } from 'express';
import { createRouter } from '../../common/http/create-router.ts';
import type { OperationName } from '../../common/journal/operation-name.ts';
import type { LastStep } from '../pipeline/context.ts';
import {
  refuseMethodOfMessages,
  refuseMethodOfPet,
  refuseMethodOfPets,
  refusePath,
} from '../pipeline/refusals.ts';
import { runWithSlash } from '../pipeline/run-with-slash.ts';
import { runOperation, takeSteps } from '../pipeline/take-steps.ts';
import { isUndecodable } from './answer-error.ts';
import type { ErrorMiddleware, Middleware } from './middleware.ts';
import { toHandler } from './send-outcome.ts';

/**
 * Creates the routes of the service, under `/v1`. Source: specification, Endpoints
 * @param enter Middleware that every request passes first.
 */
export function createService(enter: readonly Middleware[]): IRouter {
  const service = createRouter();
  service.use(...enter);
  service.get('/pets', run('listPets'));
  service.post('/pets', run('createPet'));
  service.all('/pets', refuse(refuseMethodOfPets));
  // The operation reads the id from the path, as it does in a page.
  service.get('/pets/:petId', run('getPet'));
  service.all('/pets/:petId', refuse(refuseMethodOfPet));
  service.all(['/pets/', '/pets/:petId/'], handleSlash);
  service.use(refuse(refusePath));
  service.use(answerUndecodable);
  return service;
}

/** Creates the route of the quickstart's request. Source: specification, Introductory quickstart request */
export function createQuickstart(enter: readonly Middleware[]): IRouter {
  const quickstart = createRouter();
  quickstart.use('/messages', ...enter);
  quickstart.post('/messages', run('createMessage'));
  quickstart.all('/messages', refuse(refuseMethodOfMessages));
  quickstart.use('/messages', refuse(refusePath));
  return quickstart;
}

/** Creates the handler of an operation: the limit of the rate, faults and the key come first. */
function run(operation: OperationName): Middleware {
  return toHandler((context) => runOperation(context, operation));
}

/** Creates the handler for what is no operation. The same comes first, so that a wrong key is a 401 here too. */
function refuse(step: LastStep): Middleware {
  return toHandler((context) => takeSteps(context, step));
}

const handleSlash = toHandler(runWithSlash);
const runGetPet = run('getPet');
const refuseMethodsOfPet = refuse(refuseMethodOfPet);

/** Express fails to decode an id such as `%ff` before it takes the route. Without this, no key would be required. */
const answerUndecodable: ErrorMiddleware = (error, request, response, next) => {
  if (!isUndecodable(error)) return next(error);
  if (response.locals.context.path.endsWith('/')) return handleSlash(request, response, next);
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const handle = isRead ? runGetPet : refuseMethodsOfPet;
  return handle(request, response, next);
};
