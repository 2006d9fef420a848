import { checkJsonType, describeValue, invalidRequest } from '../../common/http/api-error.ts';
import { hasManyValues, MOST_VALUES } from '../../common/json/count-values.ts';
import {
  type ExactJson,
  isJsonObject,
  type JsonObject,
  parseExactJson,
} from '../../common/json/exact-json.ts';

export interface RequestBody {
  readonly mediaType: string | undefined;
  readonly bytes: Uint8Array;
}

/**
 * Reads a body that must be a JSON object. Source: specification, POST /pets and the quickstart; RFC 8259
 * @throws ApiError `invalid_request` for another media type, for bytes that are not UTF-8 or not JSON, for any other JSON
 * value, and for too many values.
 */
export function parseJsonObject({ mediaType, bytes }: RequestBody): JsonObject {
  const error = checkJsonType(mediaType);
  if (error !== undefined) throw error;
  if (bytes.length === 0) throw invalidRequest('The body is empty. Send a JSON object.');
  if (hasManyValues(bytes)) throw invalidRequest(`The body holds more than ${MOST_VALUES} JSON values.`);
  const value = parseBody(bytes);
  if (!isJsonObject(value)) {
    throw invalidRequest(`The body must be a JSON object, not ${describeValue(value)}.`);
  }
  return value;
}

export function parseBody(bytes: Uint8Array): ExactJson {
  try {
    return parseExactJson(bytes);
  } catch (error) {
    throw invalidRequest(`The body could not be read as JSON: ${(error as Error).message}.`);
  }
}
