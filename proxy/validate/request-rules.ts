import type { Headers } from '../../common/http/headers.ts';
import type { Schema } from '../../common/json/contract.ts';
import { printSuggestion } from '../../common/text/suggest.ts';
import { findEmptyKey, keyRules, type Received } from '../exchange.ts';
import { readPathParameters } from './path-parameters.ts';
import { toReceived } from './received.ts';
import type { RequestOfOperation, Rule } from './rule.ts';

/** An integer in plain digits, as the minus sign and the digits of JSON. */
const PLAIN_INTEGER = /^(?:0|-?[1-9]\d*)$/;

/** The rules for the key, the path and the query of a request. */
export const requestRules: readonly Rule<RequestOfOperation>[] = [
  {
    id: keyRules.empty,
    meaning: 'a key that is empty, `undefined` or `null`: its variable is empty in your app',
    severity: 'error',
    find({ message: { headers } }) {
      const key = findEmptyKey(headers.authorization);
      if (key === undefined) return [];
      const sent = key === '' ? 'no key' : `the word "${key}"`;
      const message = `After "Bearer" there is ${sent} in the header Authorization: the variable of the key is empty in your app`;
      return [{ location: ['request'], message }];
    },
  },
  {
    id: 'missing-body',
    meaning: 'no body, although the operation requires one',
    severity: 'error',
    find: ({ operation: { requestBody }, message: { body } }) =>
      requestBody?.required === true && body?.length === 0
        ? [{ location: ['request'], message: 'The request has no body. Send a JSON object' }]
        : [],
  },
  {
    id: 'unexpected-body',
    meaning: 'a body of a request that takes none',
    severity: 'error',
    find: ({ operation: { requestBody }, message: { body, headers } }) =>
      requestBody === undefined && body?.length !== 0
        ? [
            {
              location: ['request'],
              message: 'The operation takes no body. Send the request without one',
              received: findMediaType(headers),
            },
          ]
        : [],
  },
  {
    id: 'empty-parameter',
    meaning: 'a query parameter without a value, such as `?status=` from the "All" of a select',
    severity: 'error',
    find: (request) =>
      listParameters(request)
        .filter(({ values }) => values.includes(''))
        .map(({ name, location, schema }) => {
          const expected = describe(schema);
          return {
            location,
            message: `${name} is empty. Leave the parameter out, or send ${expected}`,
            expected,
          };
        }),
  },
  {
    id: 'integer-format',
    meaning: 'an integer that is not in plain digits, such as `limit=05`, which a service may refuse',
    severity: 'error',
    find: (request) =>
      listParameters(request)
        .filter(({ schema }) => schema.type === 'integer')
        .filter(({ values }) => !values.includes('') && !values.every((value) => PLAIN_INTEGER.test(value)))
        .map(({ name, location }) => ({
          location,
          message:
            `${name} must be an integer in plain digits. ` +
            'The specification has no other form of an integer, so a service may refuse it or read another number',
          expected: 'integer',
        })),
  },
  {
    id: 'unknown-parameter',
    meaning: 'a query parameter that the operation does not have, and that a service may ignore',
    severity: 'warning',
    find({ operation: { operationId, parameters }, parameters: given }) {
      const known = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
      return [...new Set(given.keys())]
        .filter((name) => !known.includes(name))
        .map((name) => ({
          location: ['request', 'query', name],
          message: `${name} is not a parameter of ${operationId}${printSuggestion(name, known)}`,
        }));
    },
  },
];

function findMediaType({ 'content-type': mediaType }: Headers): Received {
  return mediaType === undefined || mediaType === ''
    ? { text: 'a body without a Content-Type' }
    : toReceived(mediaType);
}

/** Lists the parameters of the path and the query that the contract has, with the values that were sent. */
function listParameters({ operation, message, parameters: given }: RequestOfOperation) {
  return operation.parameters.flatMap(({ name, in: part, schema }) => {
    if (part !== 'query' && part !== 'path') return [];
    // Prism writes the names of parameters in lower case.
    const location = ['request', part, name.toLowerCase()];
    const values = part === 'query' ? given.getAll(name) : readSegment(operation.path, message.path, name);
    return [{ name, location, values, schema }];
  });
}

/** Returns the value of a parameter in a path; none if it cannot be decoded, which Prism reports. */
function readSegment(template: string, path: string, name: string): readonly string[] {
  try {
    return [decodeURIComponent(readPathParameters(template, path)[name] ?? '')];
  } catch {
    return [];
  }
}

function describe({ type, enum: values }: Schema): string {
  if (values !== undefined) return `one of ${values.join(', ')}`;
  if (type === undefined) return 'a value';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
