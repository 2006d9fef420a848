import type { Express } from 'express';
import { createMessage, type OperationContext } from '../../api/operations.ts';
import type { WriteReply } from '../reply-writer.ts';
import { methodNotAllowed } from './method-not-allowed.ts';
import { bodyOf, readBody } from './read-body.ts';

/** Mounts the request that the quickstart makes. Source: specification, Introductory quickstart request */
export function mountMessageRoute(app: Express, context: OperationContext, writeReply: WriteReply): void {
  app
    .route('/messages')
    .post(readBody, (request, response) => writeReply(response, createMessage(context, bodyOf(request))))
    .all(methodNotAllowed('POST'));
}
