import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { contractFile } from './contract-file.ts';

/**
 * Lets a page load the contract: puts openapi.yaml in place of the file that reads it with Node.
 * @type {import('rolldown').Plugin}
 */
export const contractAsData = {
  name: 'contract-as-data',
  load: {
    filter: { id: /\/common\/load-contract\.ts$/ },
    handler: () => `import { createContract } from './json/contract.ts';
      const contract = createContract(${JSON.stringify(parse(readFileSync(contractFile, 'utf8')))});
      export const loadContract = () => contract;`,
  },
};
