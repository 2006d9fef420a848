import type { Content, Contract, Operation } from '../../common/json/contract.ts';
import { stringifyContract } from '../../common/json/contract.ts';
import { listStatuses } from './create-hooks.ts';

const JSON_TYPE = 'application/json';

/** A value of a parameter in a path. The hooks replace it where another one is needed. */
const ANY_ID = 1;

/**
 * Describes a draft for Dredd: a path, a method and a status for each transaction. The hooks give the rest, since Dredd's parser reads only
 * a part of OpenAPI 3.0 and ends the run at what it does not know, such as a parameter without an example.
 */
export function describeContract(contract: Contract): string {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of contract.operations) {
    const { path, method } = operation;
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeOperation(operation) };
  }
  return stringifyContract({ openapi: '3.0.3', info: { title: 'Draft', version: '1.0.0' }, paths });
}

function describeOperation(operation: Operation): object {
  const { parameters, requestBody, responses } = operation;
  const ofPath = parameters.filter((one) => one.in === 'path');
  return {
    parameters: ofPath.map(({ name, example = ANY_ID }) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
      example: String(example),
    })),
    ...(requestBody !== undefined && { requestBody: { content: describeContent(requestBody.content) } }),
    responses: Object.fromEntries(
      listStatuses(operation).map((status) => {
        const { content } = responses[status] ?? {};
        const body = content === undefined ? {} : { content: describeContent(content) };
        return [status, { description: `Response ${status}.`, ...body }];
      }),
    ),
  };
}

/** Describes JSON, or else the first media type. The schema of a body is in the hooks. */
function describeContent(content: Content): object {
  const [type = JSON_TYPE] = JSON_TYPE in content ? [JSON_TYPE] : Object.keys(content);
  return Object.keys(content).length === 0 ? {} : { [type]: { example: {} } };
}
