/** Why a command did not start, as a sentence for its user. */
export class StartError extends Error {
  override readonly name: string = 'StartError';
  readonly exitCode: number = 1;
}

/** An invalid option, as a sentence that names it and what was expected. */
export class UsageError extends StartError {
  override readonly name = 'UsageError';
  override readonly exitCode = 2;
}
