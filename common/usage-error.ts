/** Why a command did not start, as a sentence for its user. */
export class StartError extends Error {
  override readonly name: string = 'StartError';
  /** The exit code of a command that does not start for this reason. */
  readonly exitCode: number = 1;
}

/** An invalid option, as a sentence that names it and what was expected. */
export class UsageError extends StartError {
  override readonly name = 'UsageError';
  override readonly exitCode = 2;
}
