import { ApiError, describeValue, invalidRequest, type MemberProblem } from '../../common/http/api-error.ts';

/** Creates the error of members that are wrong. @param where Beginning of the message, such as `The animal: `. */
export function invalidMembers(problems: readonly MemberProblem[], where = ''): ApiError {
  const sentences = problems.map(({ message }) => message).join(' ');
  return Object.assign(invalidRequest(where + sentences), { problems });
}

/** Creates the error of a method that a path does not have. Source: RFC 9110 section 15.5.6 */
export function methodNotAllowed(method: string, allowed: string): ApiError {
  const message = `${method} is not allowed. Allowed: ${allowed}.`;
  return new ApiError('method_not_allowed', message, { Allow: allowed });
}

/** Returns the error of a body that is not declared as JSON. */
export function checkJsonType(mediaType: string | undefined): ApiError | undefined {
  // Without MIMEType, which takes quadratic time for blanks.
  if (/^application\/json[\t ]*(?:;|$)/i.test(mediaType ?? '')) return undefined;
  const given = mediaType === undefined ? 'missing' : describeValue(mediaType);
  return new ApiError('invalid_request', `Content-Type must be application/json, not ${given}.`);
}
