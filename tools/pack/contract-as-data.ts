import { readFileSync } from 'node:fs';
import type { Plugin } from 'rolldown';
import { parse } from 'yaml';
import { contractFile } from '../../common/contract-file.ts';
import { loadAnimalFacts } from '../../common/load-animal-facts.ts';

/**
 * Puts openapi.yaml as data in place of the file that reads it: a page has no files, and a command starts faster. What needs the facts
 * about animals only gets these.
 */
export const contractAsData: Plugin = {
  name: 'contract-as-data',
  load: {
    filter: { id: /\/common\/load-(?:contract|animal-facts)\.ts$/ },
    handler: (id) =>
      id.endsWith('/load-contract.ts')
        ? `import { createContract } from './json/contract.ts';
      const contract = createContract(${JSON.stringify(parse(readFileSync(contractFile, 'utf8')))});
      export const loadContract = () => contract;`
        : `const facts = ${JSON.stringify(loadAnimalFacts())};
      export const loadAnimalFacts = () => facts;`,
  },
};
