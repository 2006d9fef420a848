/** Whether the process is the child of a shell that `npm start` or `npm run proxy` has started. */
export function isStartedByNpm(environment: NodeJS.ProcessEnv = process.env): boolean {
  return environment.npm_lifecycle_event === 'start' || environment.npm_lifecycle_event === 'proxy';
}
