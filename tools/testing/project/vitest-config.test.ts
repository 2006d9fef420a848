import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import config from '../../../vitest.config.ts';
import { longest } from '../longest-first.ts';

const root = join(import.meta.dirname, '../../..');

/** Returns the patterns that no file matches, such as those of a file that has another name now. */
const findUnmatched = (patterns: readonly string[]) =>
  patterns.filter((pattern) => globSync(pattern, { cwd: root }).length === 0);

test('each pattern of a project, and of a file that begins first, matches a file', () => {
  const projects = config.test?.projects ?? [];
  const included = projects.flatMap((project) =>
    typeof project === 'object' && 'test' in project ? (project.test?.include ?? []) : [],
  );
  expect(included.length).toBeGreaterThan(10);
  expect(findUnmatched([...included, ...longest])).toEqual([]);
});
