import { matchesGlob, relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Patterns of the files that take longest, most of which are short: they start a command, or wait. */
export const longest = [
  'mock/{cli,files/save-animals,journal/journal}.test.ts',
  'mock/assumptions/for-each-behaviour.test.ts',
  'contract-tests/{client/client,runner/limits}.test.ts',
  'mock/assumptions/try-behaviours.test.ts',
  'tools/fuzz/fuzz.test.ts',
  'tools/install/install-folder.test.ts',
];

/** Begins with the files that take longest. Vitest knows them from its last run, but in a new clone it begins with the largest files. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId, project }: TestSpecification) => {
      const file = relative(project.vitest.config.root, moduleId);
      return longest.some((pattern) => matchesGlob(file, pattern));
    };
    return [...sorted.filter(isLong), ...sorted.filter((one) => !isLong(one))];
  }
}
