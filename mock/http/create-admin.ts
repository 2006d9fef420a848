import express, { type Request, type Response } from 'express';
import { ApiError } from '../../common/api-error.ts';
import { createEvents } from '../../common/control/create-events.ts';
import { createFindAnswer, notAllowed, writeReply } from '../../common/control/find-answer.ts';
import { refuseForeign, refuseForm } from '../../common/control/refuse-foreign.ts';
import { hasTicket } from '../../common/control/watch-answers.ts';
import type { HostCheck } from '../../common/host-check.ts';
import { createRefuseKey } from '../../common/refuse-key.ts';
import { createReply } from '../../common/reply.ts';
import type { Service } from '../control/create-service.ts';
import type { Common } from './admin-routes.ts';
import { createAdminAnswers } from './create-admin-answers.ts';
import { createWriters, nothingAt } from './create-writers.ts';

/** The largest body that the control API reads, in bytes: all animals may be in it. */
export const LARGEST_ADMIN_BODY = 64 * 1024 * 1024;

const readLargeBody = express.raw({ type: () => true, limit: LARGEST_ADMIN_BODY });

/** What the control API is made of. */
export interface AdminDependencies extends Common {
  /** Whether the control API is there; the health check always is. */
  readonly admin: boolean;
  /** The bearer token that the control API wants. @default none */
  readonly adminToken?: string | undefined;
  /** Whether nothing but this machine reaches the mock. */
  readonly isLoopback: boolean;
  readonly isHostAllowed: HostCheck;
  /** Told of each failure that is the mock's own fault. */
  readonly reportFault: (error: unknown) => void;
}

/** What answers for the control API. */
export interface Admin {
  /** Answers a request to the control API or the health check of a service. @returns whether it was one. */
  answer(service: Service, request: Request, response: Response): boolean;
  /** Ends what has no end of its own. */
  close(): void;
}

/** Creates what answers `/__admin` and `/health`, without CORS headers: pages of other origins get nothing from it. */
export function createAdmin(dependencies: AdminDependencies): Admin {
  const { sessions, verifications, admin, reportFault } = dependencies;
  const { writeError } = createWriters({ 'Cache-Control': 'no-store' }, reportFault);
  const refuse = createRefuse(dependencies);
  const events = createEvents();
  const findAnswer = createFindAnswer(createAdminAnswers(dependencies, events), '/__admin');
  const answer: Admin['answer'] = (service, request, response) => {
    // Most requests are seen sooner.
    if (request.url.startsWith('/v1/')) return false;
    const target = /^\/(__admin|health)((?<=n)\/[^?]*)?(?:\?|$)/.exec(request.url);
    if (target === null) return false;
    const [, area, path = ''] = target;
    const fail = (error: unknown) => writeError(error, request, response);
    if (area === 'health' || path === '/health') {
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      if (isRead) writeReply(response, createReply(200, '{"status":"ok"}'));
      else fail(notAllowed(request.method, 'GET, HEAD'));
      return true;
    }
    const refusal = admin ? refuse(request) : nothingAt(request.path);
    if (refusal !== undefined) {
      fail(refusal);
      return true;
    }
    readLargeBody(request, response, async (error?: unknown) => {
      try {
        if (error !== undefined) throw error;
        const [found, param] = findAnswer(request.method, path);
        await found(sessions.keep(service, request.method !== 'GET'), request, response, param);
      } catch (thrown) {
        fail(thrown);
      }
    });
    return true;
  };
  const close = () => {
    events.close();
    verifications.close();
  };
  return { answer, close };
}

/** Refuses what may come from a page of another origin, from another machine, or without the token. */
function createRefuse({ adminToken, isLoopback, isHostAllowed, verifications }: AdminDependencies) {
  const refuseToken =
    adminToken === undefined ? undefined : createRefuseKey([adminToken], 'admin token', '<ADMIN_TOKEN>');
  return (request: Request): ApiError | undefined => {
    const refusal = refuseForeign(request.headers, isHostAllowed);
    if (refusal !== undefined) return refusal;
    if (refuseToken !== undefined)
      return hasTicket(verifications, request) ? undefined : refuseToken(request.headers.authorization);
    if (!isLoopback) {
      const why = 'The control API is off, since other machines reach this mock';
      return new ApiError(
        'forbidden',
        `${why}: --admin-token <token>, or adminToken in a program, opens it.`,
      );
    }
    return refuseForm(request);
  };
}
