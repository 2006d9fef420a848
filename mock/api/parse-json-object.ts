import { hasManyValues, MOST_VALUES } from '../../common/count-values.ts';
import { type ExactJson, isJsonObject, type JsonObject, parseExactJson } from '../../common/exact-json.ts';
import { ApiError, describeValue } from './errors.ts';

/** The body of a request as it came. */
export interface RequestBody {
  readonly mediaType: string | undefined;
  readonly bytes: Uint8Array;
}

/**
 * Reads a body that must be a JSON object. Source: specification, POST /pets and the quickstart; RFC 8259
 * @throws ApiError `invalid_request` for another media type, for bytes that are not UTF-8 or not JSON, for any other JSON
 * value, and for more values than are read.
 */
export function parseJsonObject({ mediaType, bytes }: RequestBody): JsonObject {
  expectJsonType(mediaType);
  if (bytes.length === 0)
    throw new ApiError('invalid_request', 'The body is empty; it must be a JSON object.');
  const value = parseBytes(bytes);
  if (!isJsonObject(value)) {
    throw new ApiError('invalid_request', `The body must be a JSON object, not ${describeValue(value)}.`);
  }
  return value;
}

/** @throws ApiError `invalid_request` for a media type that is not JSON's. */
export function expectJsonType(mediaType: string | undefined): void {
  // By hand: MIMEType takes quadratic time for blanks.
  if (/^application\/json[\t ]*(?:;|$)/i.test(mediaType ?? '')) return;
  const given = mediaType === undefined ? 'missing' : describeValue(mediaType);
  throw new ApiError('invalid_request', `Content-Type must be application/json; it is ${given}.`);
}

function parseBytes(bytes: Uint8Array): ExactJson {
  if (hasManyValues(bytes)) {
    throw new ApiError('invalid_request', `The body holds more than ${MOST_VALUES} JSON values.`);
  }
  try {
    return parseExactJson(bytes);
  } catch (error) {
    const { message } = error as SyntaxError;
    throw new ApiError('invalid_request', `The body could not be read as JSON: ${message}.`);
  }
}
