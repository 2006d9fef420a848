import type { TestProject } from 'vitest/node';
import { readTarget } from '../read-target.ts';

/** Provides the deployment that the environment names to the tests. */
export function setup(project: TestProject): void {
  project.provide('target', readTarget(process.env));
}
