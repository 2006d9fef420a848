import type { RequestHandler } from 'express';
import { ApiError } from '../../api/errors.ts';

/** Refuses every method that reaches it. Source: RFC 9110 section 15.5.6 */
export function methodNotAllowed(...allowed: string[]): RequestHandler {
  const allow = allowed.join(', ');
  return (request) => {
    const message = `${request.method} is not allowed here; allowed are ${allow}.`;
    throw new ApiError('method_not_allowed', message, { Allow: allow });
  };
}
