import { ApiError, describeValue } from '../../common/api-error.ts';
import { hasManyValues, MOST_VALUES } from '../../common/count-values.ts';
import { type ExactJson, isJsonObject, type JsonObject, parseExactJson } from '../../common/exact-json.ts';
import { expectJsonType } from '../../common/expect-json-type.ts';

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
