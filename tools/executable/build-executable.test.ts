import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFolder } from '../testing/create-folder.ts';
import { buildExecutable } from './build-executable.ts';

test.skipIf(process.platform === 'win32')('a build that stops half-way leaves the earlier executable', () => {
  const folder = createFolder();
  // It makes no blob, so that nothing can be put into its copy.
  const node = join(folder, 'node');
  writeFileSync(node, '#!/bin/sh\n', { mode: 0o755 });
  writeFileSync(join(folder, 'LICENSE'), 'The license of Node.');
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, 'animal-store-mock'), { recursive: true });
  writeFileSync(join(modules, 'animal-store-mock/package.json'), '{ "version": "1.0.0" }');
  const dist = join(folder, 'dist');
  mkdirSync(dist);
  const output = join(dist, 'animal-store');
  writeFileSync(output, 'the earlier executable');

  expect(() => buildExecutable({ node, modules, output })).toThrow();
  expect(readFileSync(output, 'utf8')).toBe('the earlier executable');
  expect(readdirSync(dist)).toEqual(['animal-store']);
});
