import { readFileSync } from 'node:fs';
import type { Plugin } from 'rolldown';
import { parse } from 'yaml';
import { contractFile } from './contract-file.ts';

/** Puts openapi.yaml as data in place of the file that reads it: a page has no files, and a command starts faster. */
export const contractAsData: Plugin = {
  name: 'contract-as-data',
  load: {
    filter: { id: /\/common\/load-contract\.ts$/ },
    handler: () => `import { createContract } from './json/contract.ts';
      const contract = createContract(${JSON.stringify(parse(readFileSync(contractFile, 'utf8')))});
      export const loadContract = () => contract;`,
  },
};
