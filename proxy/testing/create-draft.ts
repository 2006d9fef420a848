import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { contractFile } from '../../common/contract-file.ts';
import { createFolder } from '../../tools/testing/create-folder.ts';

/** The parts of openapi.yaml that drafts change. */
export interface WrittenContract {
  openapi: string;
  paths: Record<string, Record<string, Record<string, unknown>>>;
  components: { schemas: Record<string, Record<string, unknown>>; [name: string]: unknown };
}

/** Writes a copy of openapi.yaml with changes, until the test has finished. @returns its path */
export function createDraft(change: (contract: WrittenContract) => void, name = 'openapi-next.yaml'): string {
  const contract = parse(readFileSync(contractFile, 'utf8')) as WrittenContract;
  change(contract);
  return join(createFolder({ [name]: stringify(contract, { aliasDuplicateObjects: false }) }), name);
}
