export type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the words after the name of this process, and its environment. */
export function readOwnCall() {
  return { argv: process.argv.slice(2), environment: process.env as Environment };
}

/** Returns the environment of this process with these variables; undefined removes one. */
export function extendEnvironment(variables: Environment): Environment {
  return { ...process.env, ...variables };
}

/** Lets neither this process nor a command that it starts print colours. */
export function leaveOutColours(): void {
  delete process.env.FORCE_COLOR;
  process.env.NO_COLOR = '1';
}

/** Returns whether npm runs this process as a script, such as `npm start`. */
export function isNpmScript(): boolean {
  return /^(?:start|proxy|verify)$/.test(process.env.npm_lifecycle_event ?? '');
}

/** Returns whether npx, `npm start` or `npm run proxy` started the shell that started this process. */
export function isStartedByNpm(): boolean {
  return /^(?:start|proxy|npx)$/.test(process.env.npm_lifecycle_event ?? '');
}
