import type { IRouter } from 'express';
import { createRouter } from '../../common/http/create-router.ts';
import type { OperationName } from '../../common/journal/operation-name.ts';
import { takeCall } from '../session/take-call.ts';
import type { Middleware } from './middleware.ts';
import { toHandler } from './send-outcome.ts';

/** Path of an animal. Express would refuse a parameter such as `%ff` before the key is checked. */
const PET = /^\/pets\/[^/]+$/;

/**
 * Creates the routes of the service, under `/v1`. Source: specification, Endpoints
 * @param enter Middleware that every request passes first.
 */
export function createService(enter: readonly Middleware[]): IRouter {
  const service = createRouter();
  service.use(...enter);
  service.route('/pets').get(run('listPets')).post(run('createPet'));
  service.get(PET, run('getPet'));
  service.use(refuse);
  return service;
}

/** Creates the route of the quickstart's request. Source: specification, Introductory quickstart request */
export function createQuickstart(enter: readonly Middleware[]): IRouter {
  const quickstart = createRouter();
  quickstart.use('/messages', ...enter);
  quickstart.post('/messages', run('createMessage'));
  quickstart.use('/messages', refuse);
  return quickstart;
}

function run(operation: OperationName): Middleware {
  return toHandler((call) => takeCall(call, operation));
}

/** Refuses what is no operation, after a wrong key. */
const refuse = toHandler((call) => takeCall(call, undefined));
