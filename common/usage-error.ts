/** Why a command did not start, as a sentence for its user. */
export class StartError extends Error {
  override readonly name: string = 'StartError';
}

/** An invalid option, as a sentence that names it and what was expected. */
export class UsageError extends StartError {
  override readonly name = 'UsageError';
}
