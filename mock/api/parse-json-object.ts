import { defaultBehaviour } from '../../common/behaviour/behaviours.ts';
import { ApiError, checkJsonType, describeValue, invalidRequest } from '../../common/http/api-error.ts';
import { hasManyValues, MOST_VALUES } from '../../common/json/count-values.ts';
import type { ExactJson, JsonObject } from '../../common/json/exact-json.ts';
import { decodeUtf8, isJsonObject, parseExactJson, printExactJson } from '../../common/json/exact-json.ts';
import { splitMembers } from '../../common/json/split-members.ts';
import type { BehaviourSource } from './behaviour-source.ts';
import { nameRefusedMember } from './name-refused-member.ts';

export interface RequestBody {
  readonly mediaType: string | undefined;
  readonly bytes: Uint8Array;
}

const usual: BehaviourSource = { behaviour: defaultBehaviour, noteActed: () => {} };

/**
 * Reads a body that must be a JSON object. Source: specification, POST /pets and the quickstart; RFC 8259
 * @throws ApiError `invalid_request` for another media type, for bytes that are not UTF-8 or not JSON, for any other JSON
 * value, and for too many values.
 */
export function parseJsonObject({ mediaType, bytes }: RequestBody, source = usual): JsonObject {
  const error = checkJsonType(mediaType);
  if (error !== undefined) acceptMediaType(error, source);
  if (bytes.length === 0) throw invalidRequest('The body is empty. Send a JSON object.');
  if (hasManyValues(bytes)) throw invalidRequest(`The body holds more than ${MOST_VALUES} JSON values.`);
  const value = parseBody(bytes);
  if (!isJsonObject(value)) {
    throw invalidRequest(`The body must be a JSON object, not ${describeValue(value)}.`).ofKind('noObject');
  }
  return source.behaviour === defaultBehaviour ? value : readMembers(value, bytes, source);
}

/** @throws ApiError unless the behaviour reads a body of another media type all the same */
function acceptMediaType(error: ApiError, source: BehaviourSource): void {
  const { otherMediaTypes } = source.behaviour;
  if (otherMediaTypes === 400) throw error;
  source.noteActed('otherMediaTypes');
  if (otherMediaTypes === 415) throw new ApiError('unsupported_media_type', error.message);
}

/** Reads the members of an object again: the source has what its value has lost. */
function readMembers(value: JsonObject, bytes: Uint8Array, source: BehaviourSource): JsonObject {
  const { duplicateMembers, integerNotations } = source.behaviour;
  const members = splitMembers(decodeUtf8(bytes));
  const names = members.map(([name]) => name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined && duplicateMembers === 'refuse') {
    source.noteActed('duplicateMembers');
    const error = invalidRequest(`The body has the member ${describeValue(twice)} twice.`);
    throw nameRefusedMember(error, source);
  }
  const unusual = members.find(([name, text]) => /[.e]/i.test(text) && typeof value[name] === 'bigint');
  if (unusual !== undefined && integerNotations === 'refused') {
    source.noteActed('integerNotations');
    const [name, text] = unusual;
    const error = invalidRequest(`${name} must be written in plain digits, not ${text.slice(0, 40)}.`);
    throw nameRefusedMember(error, source);
  }
  if (twice === undefined || duplicateMembers !== 'first') return value;
  const first = Object.fromEntries(
    members.toReversed().map(([name, text]) => [name, parseExactJson(text)] as const),
  );
  const isOther = (name: string) =>
    printExactJson(first[name] ?? null) !== printExactJson(value[name] ?? null);
  if (names.some(isOther)) source.noteActed('duplicateMembers');
  return first;
}

export function parseBody(bytes: Uint8Array): ExactJson {
  try {
    return parseExactJson(bytes);
  } catch (error) {
    const message = `The body could not be read as JSON: ${(error as Error).message}.`;
    throw invalidRequest(message).ofKind('malformed');
  }
}
