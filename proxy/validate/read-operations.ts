import { transformOas3Operations } from '@stoplight/http-spec/oas3/operation';
import { bundleTarget, decycle } from '@stoplight/json';
import refParser from '@stoplight/json-schema-ref-parser';
import type { Contract } from '../../common/json/contract.ts';

/** An operation of a contract as Prism's validators take it. */
export type Operation = ReturnType<typeof transformOas3Operations>[number];

/** Reads operations as Prism's `getHttpOperationsFromSpec` does, without its reader of Postman collections, which starts slowly. */
export async function readOperations(contract: Contract): Promise<readonly Operation[]> {
  // References are replaced in place.
  const copy = structuredClone(contract.document) as object;
  const document = decycle(await refParser.dereference(copy)) as Record<string, unknown>;
  return transformOas3Operations(document).map((one) =>
    bundleTarget({ document: { ...document, __target__: one }, path: '#/__target__', cloneDocument: false }),
  );
}
