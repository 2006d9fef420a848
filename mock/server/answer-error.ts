import { writeReply } from '../../common/http/write-reply.ts';
import { toErrorReply } from '../session/take-call.ts';
import type { ErrorMiddleware } from './middleware.ts';
import { toUnknown } from './refusals.ts';
import { sendReply } from './send-outcome.ts';

/**
 * Creates the middleware that answers each request which failed.
 * @param reportFault is called with every error that is a fault of the mock.
 */
export function createAnswerError(reportFault: (error: unknown) => void): ErrorMiddleware {
  return (error, _request, response, next) => {
    const { call } = response.locals;
    // Express then breaks off the response.
    if (response.headersSent) {
      reportFault(error);
      next(error);
      return;
    }
    const failure = isUndecodable(error) ? toUnknown(call) : error;
    const reply = toErrorReply(failure, reportFault);
    try {
      sendReply(call, reply);
    } catch (fault) {
      // It was not recorded, or its headers are wrong.
      writeReply(response, toErrorReply(fault, reportFault));
    }
  };
}

/** Returns whether Express failed to decode a parameter of a path, such as `%ff`. */
function isUndecodable(error: unknown): boolean {
  return error instanceof URIError && 'status' in error && error.status === 400;
}
