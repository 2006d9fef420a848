/** Vitest ran, but not every check had an outcome. */
export class RunError extends Error {
  override readonly name = 'RunError';
}
