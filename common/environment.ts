/** The variables of the process, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Whether the process is the child of a shell that `npm start` or `npm run proxy` has started. */
export function isStartedByNpm(environment: Environment = process.env): boolean {
  return environment.npm_lifecycle_event === 'start' || environment.npm_lifecycle_event === 'proxy';
}
