import { join } from 'node:path';
import { stringify } from 'yaml';
import { changeContract, type WrittenContract } from '../../tools/testing/change-contract.ts';
import { createFolder } from '../../tools/testing/create-folder.ts';

/** Writes a copy of openapi.yaml with changes, until the test has finished. @returns its path */
export function createDraft(change: (contract: WrittenContract) => void, name = 'openapi-next.yaml'): string {
  const { document } = changeContract(change);
  return join(createFolder({ [name]: stringify(document, { aliasDuplicateObjects: false }) }), name);
}
