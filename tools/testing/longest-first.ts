import { matchesGlob, relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Patterns of the files that take longest. What starts processes and computes comes first, next to files that mostly wait. */
export const longest = [
  'tools/testing/promises.test.ts',
  'contract-tests/deployments/{conforming,broken}-deployments.test.ts',
  'mock/{cli,files/save-animals}.test.ts',
  'contract-tests/{cli,client/client,runner/limits}.test.ts',
  'mock/assumptions/*.test.ts',
  'tools/testing/project/random-requests.test.ts',
  'tools/install/install-folder.test.ts',
];

/** Begins with the files that take longest. Vitest knows them from its last run, but in a new clone it begins with the largest files. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rankOf = ({ moduleId, project }: TestSpecification) => {
      const file = relative(project.vitest.config.root, moduleId);
      const rank = longest.findIndex((pattern) => matchesGlob(file, pattern));
      return rank === -1 ? longest.length : rank;
    };
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}
