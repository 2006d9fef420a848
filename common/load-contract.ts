import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { contractFile } from './contract-file.ts';
import { type Contract, type ContractDocument, createContract } from './json/contract.ts';

/** openapi.yaml after the first call. */
let published: Contract | undefined;

export function loadContract(): Contract {
  published ??= createContract(parse(readFileSync(contractFile, 'utf8')) as ContractDocument);
  return published;
}
