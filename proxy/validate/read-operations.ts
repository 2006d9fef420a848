import { transformOas3Operations } from '@stoplight/http-spec/oas3/operation';
import { bundleTarget, decycle } from '@stoplight/json';
import refParser from '@stoplight/json-schema-ref-parser';

/** An operation of openapi.yaml as Prism's validators take it. */
export type Operation = ReturnType<typeof transformOas3Operations>[number];

/** Reads operations as Prism's `getHttpOperationsFromSpec` does, without its reader of Postman collections, which starts slowly. */
export async function readOperations(contractFile: string): Promise<readonly Operation[]> {
  const document = decycle(await refParser.dereference(contractFile)) as Record<string, unknown>;
  return transformOas3Operations(document).map((one) =>
    bundleTarget({ document: { ...document, __target__: one }, path: '#/__target__', cloneDocument: false }),
  );
}
