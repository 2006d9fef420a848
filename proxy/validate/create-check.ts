import { isPreflight } from '../../common/http/headers.ts';
import { readAnimalFacts } from '../../common/json/animal-facts.ts';
import {
  type Content,
  type Contract,
  flattenSchema,
  jsonSchemaOf,
  type Operation,
} from '../../common/json/contract.ts';
import {
  type CheckRequest,
  type ExchangeRequest,
  type ExchangeResponse,
  type FoundViolation,
  LOWEST_ERROR_STATUS,
  type Received,
} from '../exchange.ts';
import { bodyRules } from './body-rules.ts';
import { exchangeRules } from './exchange-rules.ts';
import { listFew } from './list-few.ts';
import { pathRules } from './path-rules.ts';
import { createValidators, isRouted } from './prism.ts';
import { type ReadBody, readBody } from './read-body.ts';
import { type Operation as Resource, readOperations } from './read-operations.ts';
import { findReceived } from './received.ts';
import { requestRules } from './request-rules.ts';
import { findDocumented, responseRules } from './response-rules.ts';
import { applyRules, type Found } from './rule.ts';
import { showLocation } from './show-names.ts';

/** Creates the check with Prism's reader of OpenAPI, router and validators, and with our rules. */
export async function createCheck(contract: Contract): Promise<CheckRequest<FoundViolation>> {
  const resources = await readOperations(contract);
  const ordered = resources.toSorted((one, other) => rankOf(one).localeCompare(rankOf(other)));
  const operations = ordered.map((resource) => ({
    resource,
    check: createOperationCheck(resource, contract),
  }));
  return (request) => {
    // HEAD is GET without a body. Source: RFC 9110 section 9.3.2
    const methods = request.method === 'HEAD' ? ['head', 'get'] : [request.method.toLowerCase()];
    const operation = operations.find(
      ({ resource }) =>
        request.malformed === undefined &&
        methods.includes(resource.method) &&
        isRouted(resource, request.path),
    );
    if (operation !== undefined) return operation.check(request);
    const violations = isPreflight(request) ? [] : checkStrayRequest(request, contract);
    const checkResponse = () => ({ violations: [], brokenRules: [], answered: undefined });
    return { operationId: undefined, violations, sent: undefined, checkResponse };
  };
}

/**
 * Returns the rank of a resource among those that match a path, as text: segment by segment, a fixed one before one that is in part a
 * parameter, and before one that is a parameter. HEAD comes before GET. Source: OAS 3.0.3, Paths Object
 */
function rankOf({ path, method }: Pick<Operation, 'path' | 'method'>): string {
  const segments = path.split('/').map((segment) => {
    if (!segment.includes('{')) return '0';
    return /^\{[^{}]*\}$/.test(segment) ? '2' : '1';
  });
  return [...segments, method === 'head' ? '0' : '1'].join('');
}

function checkStrayRequest(request: ExchangeRequest, contract: Contract): FoundViolation[] {
  const received = { text: `${request.method} ${request.target}` };
  const [found] = applyRules(pathRules, { request, contract });
  return found === undefined ? [] : [complete(found, () => received)];
}

function createOperationCheck(resource: Resource, contract: Contract) {
  const { method, path: template } = resource;
  const operation = contract.operations.find(
    (one) => one.path === template && one.method === method.toUpperCase(),
  ) as Operation;
  const { operationId, requestBody, responses } = operation;
  const { validateRequest, validateResponse } = createValidators(resource);
  const facts = readAnimalFacts(contract);
  const ofRequest = readContent(contract, requestBody?.content);
  const ofResponses = new Map(
    Object.entries(responses).map(([code, { content }]) => [code, readContent(contract, content)]),
  );
  const errorStatus = Object.keys(responses)
    .map(Number)
    .find((status) => status >= LOWEST_ERROR_STATUS);

  const checkRequest = (message: ExchangeRequest, body: ReadBody): FoundViolation[] => {
    const parameters = new URLSearchParams(message.query);
    const subject = { side: 'request', operation, message, body, ...ofRequest, parameters } as const;
    const ours = applyRules([...requestRules, ...bodyRules], subject);
    const found = combine(validateRequest(message, parameters, toPrismBody(body, ours)), ours);
    return found.map((one) => complete(one, findReceived(message, body, template)));
  };

  const checkResponse = (
    message: ExchangeResponse,
    body: ReadBody,
    request: ExchangeRequest,
    ofRequest: readonly FoundViolation[],
  ): FoundViolation[] => {
    const code = findDocumented(operation, message.status);
    const documented = ofResponses.get(code ?? '') ?? nothingDocumented;
    const findNoError = () => {
      if (errorStatus === undefined) return undefined;
      const asError = checkResponse({ ...message, status: errorStatus }, body, request, ofRequest);
      // What the request must not get is no question of the body.
      return asError.find(({ severity, location }) => severity === 'error' && location.length > 1);
    };
    const ofResponse = { message, body, ...documented, request, ofRequest, findNoError };
    const ours = applyRules([...responseRules, ...bodyRules], { side: 'response', operation, ...ofResponse });
    const found = combine(validateResponse(message, code, toPrismBody(body, ours)), ours);
    return found.map((one) => complete(one, findReceived(message, body, template)));
  };

  return (request: ExchangeRequest) => {
    const body = readBody(request);
    const violations = checkRequest(request, body);
    const { path, query } = request;
    // Some services split a query at semicolons too.
    const parameters = query.includes(';') ? undefined : [...new URLSearchParams(query)];
    const exchange = { operationId, facts, path, parameters, sent: body.json?.certain };
    return {
      operationId,
      violations: listFew(violations),
      sent: body.json?.exact,
      checkResponse: (response: ExchangeResponse) => {
        const answeredBody = readBody(response);
        const answered = answeredBody.json?.exact;
        // A fault of the mock breaks the contract on purpose.
        if (response.isMadeByFault) return { violations: [], brokenRules: [], answered };
        const { status } = response;
        const broken = applyRules(exchangeRules, { ...exchange, status, body: answeredBody.json?.certain });
        return {
          violations: listFew(checkResponse(response, answeredBody, request, violations)),
          brokenRules: listFew(broken.map((one) => complete(one))),
          answered,
        };
      },
    };
  };
}

/** Joins what Prism and our rules find in a message. One error about a part of a message is enough. */
function combine(byPrism: readonly Found[], ours: readonly Found[]): readonly Found[] {
  const placeOf = ({ location, severity }: Found) => JSON.stringify([severity, showLocation(location)]);
  const wrong = new Set(byPrism.map(placeOf));
  const isRepeated = (one: Found) =>
    one.severity === 'error' && one.location.length > 1 && wrong.has(placeOf(one));
  return [...byPrism, ...ours.filter((one) => !isRepeated(one))];
}

/** @param find finds what was received at the place of a fault that does not have it */
function complete(
  found: Found,
  find?: (location: readonly string[]) => Received | undefined,
): FoundViolation {
  const { location } = found;
  const own = { expected: undefined, missing: undefined, received: find?.(location) };
  return { ...own, ...found, location: showLocation(location) };
}

const nothingDocumented = { content: undefined, schema: {} };

/** Returns the media types of a body, and the schema of its JSON without references, as far as rules read it. */
function readContent(contract: Contract, content: Content | undefined) {
  const schema = flattenSchema(contract, jsonSchemaOf(content));
  const { items } = schema;
  return {
    content,
    schema: items === undefined ? schema : { ...schema, items: flattenSchema(contract, items) },
  };
}

/** The schema says nothing about a body of another media type, unless it is JSON. */
function toPrismBody(body: ReadBody, ours: readonly Found[]): ReadBody {
  const isOther = body.json === undefined && ours.some(({ rule }) => rule === 'media-type');
  return isOther ? { ...body, isRead: false } : body;
}
