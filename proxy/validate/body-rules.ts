import { MOST_CODINGS } from '../../common/http/decode-body.ts';
import { LARGEST_CHECKED_BODY, type Unchecked } from '../../common/http/decode-checked-body.ts';
import { isJson } from '../../common/http/headers.ts';
import type { Schema } from '../../common/json/contract.ts';
import { MOST_VALUES } from '../../common/json/count-values.ts';
import { inWords } from '../../common/text/in-words.ts';
import { printSuggestion, suggest } from '../../common/text/suggest.ts';
import { MAX_TEXT } from './read-body.ts';
import { isObject } from './repeated-members.ts';
import type { Fault, Message, Rule } from './rule.ts';
import { showName } from './show-names.ts';

const MEBIBYTE = 1024 * 1024;

/** Why a body was not checked, in words. */
const reasons: Readonly<Record<Unchecked['reason'], string>> = {
  size: `it has more than ${LARGEST_CHECKED_BODY / MEBIBYTE} MiB, as it was sent or decoded`,
  values: `its JSON has more than ${MOST_VALUES} values`,
  'many codings': `it has more than ${MOST_CODINGS} content codings`,
  'unknown coding': 'its coding is unknown',
  'wrong coding': 'it is not in its content coding',
  'not recorded': 'the HAR file does not have all of it',
  'lost bytes': 'the HAR file has it as text, which has lost bytes',
};

/** The rules for the body of a request or a response. */
export const bodyRules: readonly Rule<Message>[] = [
  {
    id: 'media-type',
    meaning:
      'a body of another media type than `application/json`, or without one. Parameters such as a charset are allowed',
    severity: 'error',
    find({ side, message: { headers, body, unchecked }, content = {} }) {
      const types = Object.keys(content);
      const { 'content-type': given = '' } = headers;
      // The response to HEAD has no body. Source: RFC 9110, section 9.3.2
      const isNone = body === undefined && unchecked === undefined && side === 'response';
      const isEmpty = (isNone || body?.length === 0) && (side === 'request' || given === '');
      if (types.length === 0 || isEmpty || types.some((type) => isOfType(given, type))) return [];
      const wanted = inWords(types);
      const message =
        given.trim() === ''
          ? `The body has no Content-Type. Send "Content-Type: ${wanted}"`
          : `Content-Type must be ${wanted}`;
      const received = given === '' ? undefined : { string: given };
      return [{ location: [side, 'headers', 'content-type'], message, expected: wanted, received }];
    },
  },
  {
    id: 'unchecked-body',
    meaning: 'a body that could not be checked: it is too large, or is not in its content coding',
    severity: 'error',
    find({ side, message: { unchecked, headers, body }, content = {} }) {
      const location = [side, 'body'];
      const isText = body !== undefined && body.length > MAX_TEXT && !isJson(headers['content-type']);
      if (isText && Object.keys(content).some((type) => isOfType(headers['content-type'], type)))
        return [{ location, message: `The body could not be checked: of text only ${MAX_TEXT} bytes are` }];
      if (unchecked === undefined) return [];
      const { reason, coding, size } = unchecked;
      const inCoding = coding === undefined ? '' : ` (${coding})`;
      const received = size === undefined ? undefined : { text: `a body of ${size} bytes` };
      return [
        { location, message: `The body could not be checked: ${reasons[reason]}${inCoding}`, received },
      ];
    },
  },
  {
    id: 'json',
    meaning: 'a body that is not valid JSON',
    severity: 'error',
    find: ({ side, body: { problem } }) =>
      problem === undefined
        ? []
        : [{ location: [side, 'body'], message: `The body could not be read as JSON: ${problem}` }],
  },
  {
    id: 'repeated-member',
    meaning: 'a member that an object has more than once, of which readers may take either',
    severity: 'warning',
    find: ({ side, body: { json } }) =>
      (json?.repeated ?? []).map((path) => ({
        location: [side, 'body', ...path],
        message: `${showName(path.at(-1) ?? '')} is in its object more than once, and readers may take any of them`,
      })),
  },
  {
    id: 'byte-order-mark',
    meaning: 'a byte order mark in front of JSON, which readers may refuse',
    severity: 'warning',
    find: ({ side, body: { json } }) =>
      json?.hasByteOrderMark === true
        ? [
            {
              location: [side, 'body'],
              message: 'The body begins with a byte order mark, which JSON must not have',
            },
          ]
        : [],
  },
  {
    id: 'unknown-member',
    meaning: 'a member of a request body that the contract lacks, or a misspelt member of a response',
    severity: 'warning',
    find: ({ side, body, schema, operation }) =>
      findUnknown(body.value, schema, [side, 'body'], `of the ${side} body of ${operation.operationId}`),
  },
];

/** Returns whether a header has the media type, parameters aside, and only that. Source: RFC 9110, section 8.3.1 */
function isOfType(header = '', type: string): boolean {
  // Several headers are one with commas.
  if (header.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').includes(',')) return false;
  const [essence = ''] = header.split(';');
  const range = type.replace(/;.*/s, '').trim().toLowerCase();
  const given = essence.trim().toLowerCase();
  if (range.endsWith('/*')) return range === '*/*' ? given !== '' : given.startsWith(range.slice(0, -1));
  return given === range;
}

/** Finds members that are not documented; in a response, which may have more members, only misspelt ones. */
function findUnknown(
  value: unknown,
  { properties, items }: Schema,
  location: readonly string[],
  owner: string,
): Fault[] {
  if (Array.isArray(value)) {
    if (items === undefined) return [];
    return value.flatMap((element, index) => findUnknown(element, items, [...location, `${index}`], owner));
  }
  if (properties === undefined || !isObject(value)) return [];
  const unknown = Object.keys(value).filter((name) => !Object.hasOwn(properties, name));
  if (unknown.length === 0) return [];
  const absent = Object.keys(properties).filter((known) => !Object.hasOwn(value, known));
  return unknown
    .filter((name) => location[0] === 'request' || suggest(name, absent) !== undefined)
    .map((name) => ({
      location: [...location, name],
      message: `${showName(name)} is not a member ${owner}${printSuggestion(name, absent)}`,
    }));
}
