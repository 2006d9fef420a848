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
} from '../exchange.ts';
import { applyExchangeRules, applyRules, combine, type FindReceived } from './apply-rules.ts';
import { bodyRules } from './body-rules.ts';
import { listFew } from './list-few.ts';
import { pathRules } from './path-rules.ts';
import { createValidators, isRouted } from './prism.ts';
import { type ReadBody, readBody, toCheckedText } from './read-body.ts';
import { type Operation as Resource, readOperations } from './read-operations.ts';
import { findInRequest, findInResponse } from './received.ts';
import { requestRules } from './request-rules.ts';
import { findDocumented, responseRules } from './response-rules.ts';

/** Creates the check with Prism's reader of OpenAPI, router and validators, and with our rules. */
export async function createCheck(contract: Contract): Promise<CheckRequest<FoundViolation>> {
  const resources = await readOperations(contract);
  const ordered = resources.toSorted((one, other) => rankOf(one).localeCompare(rankOf(other)));
  const operations = ordered.map((resource) => ({
    resource,
    check: createOperationCheck(resource, contract),
  }));
  return (request) => {
    const path = request.path.split('/').map(toCheckedText).join('/');
    // HEAD is GET without a body. Source: RFC 9110 section 9.3.2
    const methods = request.method === 'HEAD' ? ['head', 'get'] : [request.method.toLowerCase()];
    const operation = operations.find(
      ({ resource }) => methods.includes(resource.method) && isRouted(resource, path),
    );
    if (operation !== undefined) return operation.check(request, path);
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
  return applyRules(pathRules, { request, contract }, () => received).violations.slice(0, 1);
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

  const checkRequest = (message: ExchangeRequest, path: string, body: ReadBody): FoundViolation[] => {
    const parameters = new URLSearchParams(message.query);
    const subject = { side: 'request', operation, message, body, ...ofRequest, parameters } as const;
    const find: FindReceived = (location, rule) =>
      rule?.received?.(message) ?? findInRequest(message, body, template, location);
    const ours = applyRules([...requestRules, ...bodyRules], subject, find);
    return combine(validateRequest(message, path, parameters, toPrismBody(body, ours), find), ours);
  };

  const checkResponse = (
    message: ExchangeResponse,
    body: ReadBody,
    request: ExchangeRequest,
    brokenByRequest: ReadonlySet<string>,
  ): FoundViolation[] => {
    const code = findDocumented(operation, message.status);
    const documented = ofResponses.get(code ?? '') ?? nothingDocumented;
    const findNoError = () => {
      if (errorStatus === undefined) return undefined;
      const asError = checkResponse({ ...message, status: errorStatus }, body, request, brokenByRequest);
      return asError.find(({ severity }) => severity === 'error');
    };
    const subject = {
      side: 'response',
      operation,
      message,
      body,
      ...documented,
      request,
      brokenByRequest,
      findNoError,
    } as const;
    const find: FindReceived = (location) => findInResponse(message, body, location);
    const ours = applyRules([...responseRules, ...bodyRules], subject, find);
    return combine(validateResponse(message, code, toPrismBody(body, ours), find), ours);
  };

  return (request: ExchangeRequest, path: string) => {
    const body = readBody(request);
    const violations = checkRequest(request, path, body);
    return {
      operationId,
      violations: listFew(violations),
      sent: body.json?.exact,
      checkResponse: (response: ExchangeResponse) => {
        const answeredBody = readBody(response);
        const answered = answeredBody.json?.exact;
        // A fault of the mock breaks the contract on purpose.
        if (response.isMadeByFault) return { violations: [], brokenRules: [], answered };
        const requestRead = { message: request, body };
        const responseRead = { message: response, body: answeredBody };
        const brokenByRequest = new Set(violations.map(({ rule }) => rule));
        return {
          violations: listFew(checkResponse(response, answeredBody, request, brokenByRequest)),
          brokenRules: listFew(applyExchangeRules({ operationId, facts }, requestRead, responseRead)),
          answered,
        };
      },
    };
  };
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
function toPrismBody(body: ReadBody, { violations }: ReturnType<typeof applyRules>): ReadBody {
  const isOther = body.json === undefined && violations.some(({ rule }) => rule === 'media-type');
  return isOther ? { ...body, isRead: false } : body;
}
