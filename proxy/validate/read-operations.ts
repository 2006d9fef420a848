import { transformOas3Operations } from '@stoplight/http-spec/oas3/operation';
import { bundleTarget, decycle } from '@stoplight/json';
import refParser from '@stoplight/json-schema-ref-parser';
import { Ajv, type AnySchemaObject } from 'ajv';
import { UsageError } from '../../common/cli/usage-error.ts';
import type { Contract } from '../../common/json/contract.ts';

/** An operation of a contract as Prism's validators take it. */
export type Operation = ReturnType<typeof transformOas3Operations>[number];

/** Refuses references to other files. The types of the package do not have these switches. */
const oneFile: object = { resolve: { file: false, http: false } };

/**
 * Reads operations as Prism's `getHttpOperationsFromSpec` does, without its reader of Postman collections, which starts slowly.
 *
 * @throws UsageError naming the file, and why Prism or ajv cannot read it
 */
export async function readOperations({
  document: written,
  draft = 'openapi.yaml',
}: Contract): Promise<readonly Operation[]> {
  try {
    // References are replaced in place.
    const copy = structuredClone(written) as object;
    const dereferenced = await refParser.dereference(copy, oneFile);
    const document = decycle(dereferenced) as Record<string, unknown>;
    const operations: readonly Operation[] = transformOas3Operations(document).map((one) =>
      bundleTarget({
        document: { ...document, __target__: one },
        path: '#/__target__',
        cloneDocument: false,
      }),
    );
    // What Prism creates its own instance with.
    const ajv = new Ajv({ strict: false, logger: false });
    for (const operation of operations) expectSchemas(operation, ajv);
    return operations;
  } catch (error) {
    throw new UsageError(`${draft} cannot be used as the contract. ${(error as Error).message}`);
  }
}

/** Expects schemas that ajv can compile: Prism leaves out any other, and then finds nothing. */
function expectSchemas(operation: Operation, ajv: Ajv): void {
  const { iid, request = {}, responses } = operation;
  const { body, query = [], path = [], headers = [], cookie = [] } = request;
  const ofResponses = responses.flatMap((one) => [...(one.headers ?? []), ...(one.contents ?? [])]);
  const all = [...query, ...path, ...headers, ...cookie, ...(body?.contents ?? []), ...ofResponses];
  const { __bundled__ } = operation as { readonly __bundled__?: object };
  for (const { schema } of all) {
    if (schema === undefined) continue;
    try {
      ajv.compile({ ...schema, __bundled__ } as AnySchemaObject);
    } catch (error) {
      throw new Error(`${iid}: ${(error as Error).message}`);
    }
  }
}
