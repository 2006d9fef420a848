/** Failure to start a command, as a sentence for the user. */
export class StartError extends Error {
  override readonly name: string = 'StartError';
}

/** Invalid option, as a sentence with its name and the expected value. */
export class UsageError extends StartError {
  override readonly name = 'UsageError';
}
