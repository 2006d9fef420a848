import { toErrorReply } from '../pipeline/answer-request.ts';
import { toUnknown } from '../pipeline/refusals.ts';
import type { ErrorMiddleware } from './http-context.ts';
import { sendOutcome } from './send-outcome.ts';

/**
 * Creates the middleware that answers each request which failed.
 * @param reportFault is called with every error that is a fault of the mock.
 */
export function createAnswerError(reportFault: (error: unknown) => void): ErrorMiddleware {
  return (error, _request, response, next) => {
    const { context } = response.locals;
    // Express then breaks off the response.
    if (response.headersSent) {
      reportFault(error);
      next(error);
      return;
    }
    const failure = isUndecodable(error) ? toUnknown(context) : error;
    sendOutcome(context, toErrorReply(failure, reportFault));
  };
}

/** Returns whether Express failed to decode a parameter of a path, such as `%ff`. */
export function isUndecodable(error: unknown): boolean {
  return error instanceof URIError && 'status' in error && error.status === 400;
}
