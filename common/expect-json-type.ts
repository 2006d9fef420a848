import { ApiError, describeValue } from './api-error.ts';

/** @throws ApiError `invalid_request` for a media type that is not JSON's. */
export function expectJsonType(mediaType: string | undefined): void {
  // By hand: MIMEType takes quadratic time for blanks.
  if (/^application\/json[\t ]*(?:;|$)/i.test(mediaType ?? '')) return;
  const given = mediaType === undefined ? 'missing' : describeValue(mediaType);
  throw new ApiError('invalid_request', `Content-Type must be application/json; it is ${given}.`);
}
